# SPDX-License-Identifier: Apache-2.0
"""What the training of every task shares: recipes, minibatches, networks, the loop, the export."""
