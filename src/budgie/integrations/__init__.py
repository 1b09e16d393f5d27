# SPDX-License-Identifier: Apache-2.0
"""Budgie inside of the tools that corpora are built with; each module needs its own tool, and no other one does."""
