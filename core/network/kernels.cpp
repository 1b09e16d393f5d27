// SPDX-License-Identifier: Apache-2.0
#include "network/kernels.hpp"

#include "network/kernel_sets.hpp"

namespace budgie::network {

#ifdef BUDGIE_X86
namespace {

template <class Kernel>
Kernel* choose(Kernel* plain, Kernel* v3, Kernel* v4, Kernel* v4_dot) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return __builtin_cpu_supports("avx512vnni") ? v4_dot : v4;
  return __builtin_cpu_supports("x86-64-v3") ? v3 : plain;
}

}  // namespace

#define BUDGIE_CHOOSE(kernel) choose(plain::kernel, v3::kernel, v4::kernel, v4_dot::kernel)
#else
#define BUDGIE_CHOOSE(kernel) plain::kernel
#endif

const ApplyLayer apply_layer = BUDGIE_CHOOSE(apply_layer);
const AddFloats add_floats = BUDGIE_CHOOSE(add_floats);
const AddBytes add_bytes = BUDGIE_CHOOSE(add_bytes);
const SumRows sum_rows = BUDGIE_CHOOSE(sum_rows<false>);
const SumRows rectify_rows = BUDGIE_CHOOSE(sum_rows<true>);
const RectifyShorts rectify_shorts = BUDGIE_CHOOSE(rectify_shorts);
const ApplyShorts apply_shorts = BUDGIE_CHOOSE(apply_shorts);
const ApplyShortsToFloats apply_shorts_to_floats = BUDGIE_CHOOSE(apply_shorts_to_floats);
const ToShorts to_shorts = BUDGIE_CHOOSE(to_shorts);
const RoundShorts round_shorts = BUDGIE_CHOOSE(round_shorts);
const ScoreRows score_rows = BUDGIE_CHOOSE(score_rows);
const BestOf best_of = BUDGIE_CHOOSE(best_of);

}  // namespace budgie::network
