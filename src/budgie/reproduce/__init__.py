# SPDX-License-Identifier: Apache-2.0
"""The tables of the paper, made again with our code, beside what the paper printed."""
