# SPDX-License-Identifier: Apache-2.0
"""Scores of models on data with the right answers."""
