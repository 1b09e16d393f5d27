# SPDX-License-Identifier: Apache-2.0
"""The tasks: what a model file becomes when it is loaded."""
