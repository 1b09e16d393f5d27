# SPDX-License-Identifier: Apache-2.0
"""Files of text: readers and writers."""
