// SPDX-License-Identifier: Apache-2.0
// The core's half of what Python has of some tasks.
#pragma once
#include "tasks/langid.hpp"
#include "tasks/segmenter.hpp"
#include "tasks/tagger.hpp"
#include "texts.hpp"

namespace budgie::python {

// Each in the file of its task; an object of another class is a nb::cast_error.
const tasks::LanguageIdentifier& identifier_in(nb::handle object);
const tasks::Segmenter& segmenter_in(nb::handle object);
const tasks::Tagger& tagger_in(nb::handle object);

}  // namespace budgie::python
