# SPDX-License-Identifier: Apache-2.0
"""The teacher: a large network whose labels small ones learn from."""
