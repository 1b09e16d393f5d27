# SPDX-License-Identifier: Apache-2.0
"""`python -m budgie` is the command `budgie`."""

import sys

from budgie.cli import main

sys.exit(main())
