# SPDX-License-Identifier: Apache-2.0
"""Where official data comes from, and under which licences."""
