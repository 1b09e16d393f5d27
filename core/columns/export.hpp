// SPDX-License-Identifier: Apache-2.0
// Schemas and arrays for others: what they point to lives until they are given back, and each of their children may be
// taken out and live longer.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "columns/arrow.hpp"

namespace budgie::columns {

Owned<ArrowSchema> make_schema(std::string format, std::string name, std::vector<Owned<ArrowSchema>> children = {},
                               Owned<ArrowSchema> dictionary = {});

// `keeper` holds what the buffers are in.
Owned<ArrowArray> make_array(std::int64_t length, std::int64_t nulls, std::vector<const void*> buffers,
                             std::vector<Owned<ArrowArray>> children, std::shared_ptr<const void> keeper,
                             Owned<ArrowArray> dictionary = {});

// Once more what `keeper` holds: a struct of its own, with children of its own, that points into the same. Throws
// std::invalid_argument where children are missing, or lie deeper than any reader would follow.
Owned<ArrowSchema> share(const ArrowSchema& schema, const std::shared_ptr<const void>& keeper);
Owned<ArrowArray> share(const ArrowArray& array, const std::shared_ptr<const void>& keeper);

}  // namespace budgie::columns
