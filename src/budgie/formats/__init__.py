# SPDX-License-Identifier: Apache-2.0
"""Files of text: readers and writers."""

# What compressed files are called, and how they begin.
MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd"}
COMPRESSED = tuple(MAGIC)  # what every reader takes behind the usual name of a file
