# SPDX-License-Identifier: Apache-2.0
"""Budgie beside its peers, each task in a folder of its own. Not installed: run from the root of the repository."""
