// SPDX-License-Identifier: Apache-2.0
#include "segmenter_kernels.hpp"

#include <cstring>

#include "dispatch.hpp"

#ifdef BUDGIE_X86
#include <immintrin.h>
#endif

namespace budgie {

#define BUDGIE_WIDTH 4
namespace plain {
#include "segmenter_loops.hpp"
}
#undef BUDGIE_WIDTH

#ifdef BUDGIE_X86
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define BUDGIE_WIDTH 8
namespace v3 {
#include "segmenter_loops.hpp"
}
#undef BUDGIE_WIDTH
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
#define BUDGIE_WIDTH 16
namespace v4 {
#include "segmenter_loops.hpp"
}
#undef BUDGIE_WIDTH
#pragma GCC pop_options

namespace {

template <class Kernel>
Kernel* choose(Kernel* plain, Kernel* v3, Kernel* v4) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return v4;
  return __builtin_cpu_supports("x86-64-v3") ? v3 : plain;
}

}  // namespace

const AddFloats add_floats = choose(plain::add_floats, v3::add_floats, v4::add_floats);
const AddBytes add_bytes = choose(plain::add_bytes, v3::add_bytes, v4::add_bytes);
const PreferSplit prefer_split = choose(plain::prefer_split, v3::prefer_split, v4::prefer_split);
#else
const AddFloats add_floats = plain::add_floats;
const AddBytes add_bytes = plain::add_bytes;
const PreferSplit prefer_split = plain::prefer_split;
#endif

}  // namespace budgie
