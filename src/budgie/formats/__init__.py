# SPDX-License-Identifier: Apache-2.0
"""Files of text: readers and writers."""

COMPRESSED = (".gz", ".xz", ".zst")  # what every reader takes behind the usual name of a file
