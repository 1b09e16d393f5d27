# SPDX-License-Identifier: Apache-2.0
"""Instructions of the core for each text, character and word: numbers that a busy machine does not change."""
