# SPDX-License-Identifier: Apache-2.0
"""Corpora: many files in, one annotated file out for each, a summary and a report."""
