# SPDX-License-Identifier: Apache-2.0
"""Corpora: many files of texts, annotated as one."""
