// SPDX-License-Identifier: Apache-2.0
// The loops behind kernels.hpp. kernel_sets.hpp includes this once for each instruction set, in a namespace of its own:
// hence no guards, and no other includes. BUDGIE_REGISTER is how many floats a register holds.

#include "network/loops/registers.hpp"

// These need that, and scores need layers.
#include "network/loops/bytes.hpp"
#include "network/loops/layers.hpp"
#include "network/loops/scores.hpp"
#include "network/loops/shorts.hpp"
