# SPDX-License-Identifier: Apache-2.0
"""What the sub-commands do: a module each, imported when its command is called."""
