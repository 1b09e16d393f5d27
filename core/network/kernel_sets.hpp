// SPDX-License-Identifier: Apache-2.0
// The loops of kernel_loops.hpp, once for each instruction set, in a namespace of its own. kernels.cpp chooses among
// them; its test compares them.
#pragma once
#include <cstring>

#include "dispatch.hpp"
#include "network/kernels.hpp"
#include "network/layer.hpp"

#ifdef BUDGIE_X86
#include <immintrin.h>
#endif

namespace budgie::network {

#define BUDGIE_REGISTER 4
namespace plain {
#include "network/kernel_loops.hpp"
}
#undef BUDGIE_REGISTER

#ifdef BUDGIE_X86
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define BUDGIE_REGISTER 8
namespace v3 {
#include "network/kernel_loops.hpp"
}
#undef BUDGIE_REGISTER
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
#define BUDGIE_REGISTER 16
namespace v4 {
#include "network/kernel_loops.hpp"
}
#undef BUDGIE_REGISTER
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4,avx512vnni")
#define BUDGIE_REGISTER 16
#define BUDGIE_DOT
namespace v4_dot {
#include "network/kernel_loops.hpp"
}
#undef BUDGIE_DOT
#undef BUDGIE_REGISTER
#pragma GCC pop_options
#endif

}  // namespace budgie::network
