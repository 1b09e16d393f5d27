// SPDX-License-Identifier: Apache-2.0
// The Python module: what each of the other files adds.
#include "texts.hpp"

NB_MODULE(_core, m) {
  using namespace budgie::python;
  m.doc() = "The C++ core of Budgie.";
#ifdef NDEBUG
  // A thread that still runs, or a cache of somebody else, may hold a model when Python ends: nobody's mistake.
  nb::set_leak_warnings(false);
#endif
  bind_model(m);
  bind_training(m);
  bind_records(m);
  bind_langid(m);
  bind_tagger(m);
  bind_segmenter(m);
  bind_preorderer(m);
  bind_pipeline(m);
  bind_clusters(m);
  bind_columns(m);
}
