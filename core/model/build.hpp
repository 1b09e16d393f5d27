// SPDX-License-Identifier: Apache-2.0
// From a checked model to the task it is for.
#pragma once
#include "features/running_text.hpp"
#include "features/units.hpp"
#include "features/words.hpp"
#include "model/file.hpp"
#include "network/network.hpp"
#include "tasks/langid.hpp"
#include "tasks/preorderer.hpp"
#include "tasks/segmenter.hpp"
#include "tasks/tagger.hpp"

namespace budgie::model {

// Features alone, as training asks for them; of the tensors only the resources matter, which must have been checked.
std::vector<Group> groups_of(const Config& config);
Folding folding_of(const Config& config);
WordGroups word_groups(const Config& config, const Tensors& tensors);
UnitGroups unit_groups(const Config& config, const Tensors& tensors);

// Each throws Error where the model is for another task.
LanguageIdentifier build_langid(const Model& model);
Tagger build_tagger(const Model& model);
Segmenter build_segmenter(const Model& model);
Preorderer build_preorderer(const Model& model);

}  // namespace budgie::model
