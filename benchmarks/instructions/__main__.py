# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks.instructions`."""

import sys

from benchmarks.instructions.run import main

sys.exit(main())
