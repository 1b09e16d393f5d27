# SPDX-License-Identifier: Apache-2.0
"""Every task once more, in NumPy and as plainly as possible: what the core has to agree with."""
