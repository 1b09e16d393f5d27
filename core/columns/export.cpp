// SPDX-License-Identifier: Apache-2.0
#include "columns/export.hpp"

#include <stdexcept>
#include <utility>

namespace budgie::columns {

namespace {

// What the private data of a struct points to. Its destructor gives back those children that are still there.
template <class Struct>
struct Parts {
  Parts(std::vector<Owned<Struct>> children_, Owned<Struct> dictionary_)
      : children(std::move(children_)), dictionary(std::move(dictionary_)) {
    for (Owned<Struct>& child : children) pointers.push_back(child.get());
  }

  // Puts them into the struct, whose they are from now on.
  static Owned<Struct> give(std::unique_ptr<Parts> parts, Struct made) {
    made.n_children = static_cast<std::int64_t>(parts->children.size());
    made.children = parts->children.empty() ? nullptr : parts->pointers.data();
    made.dictionary = parts->dictionary.empty() ? nullptr : parts->dictionary.get();
    made.release = [](Struct* one) {
      delete static_cast<Parts*>(one->private_data);
      one->release = nullptr;
    };
    made.private_data = parts.release();
    return Owned<Struct>(made);
  }

  std::vector<Owned<Struct>> children;
  Owned<Struct> dictionary;
  std::vector<Struct*> pointers{};
  std::vector<const void*> buffers{};
  std::string format{}, name{};
  std::shared_ptr<const void> keeper{};
};

constexpr int kDeepest = 64;  // children of children

template <class Struct>
Owned<Struct> share_one(const Struct& one, const std::shared_ptr<const void>& keeper, int depth) {
  if (depth > kDeepest) throw std::invalid_argument("a column to keep is malformed: it is nested too deep");
  std::vector<Owned<Struct>> children;
  for (std::int64_t c = 0; c < one.n_children; ++c) {
    if (one.children == nullptr || one.children[c] == nullptr) {
      throw std::invalid_argument("a column to keep is malformed: a child is missing");
    }
    children.push_back(share_one(*one.children[c], keeper, depth + 1));
  }
  Owned<Struct> dictionary;
  if (one.dictionary != nullptr) dictionary = share_one(*one.dictionary, keeper, depth + 1);
  auto parts = std::make_unique<Parts<Struct>>(std::move(children), std::move(dictionary));
  parts->keeper = keeper;
  return Parts<Struct>::give(std::move(parts), one);
}

}  // namespace

Owned<ArrowSchema> make_schema(std::string format, std::string name, std::vector<Owned<ArrowSchema>> children,
                               Owned<ArrowSchema> dictionary) {
  auto parts = std::make_unique<Parts<ArrowSchema>>(std::move(children), std::move(dictionary));
  parts->format = std::move(format);
  parts->name = std::move(name);
  ArrowSchema made{};
  made.format = parts->format.c_str();
  made.name = parts->name.c_str();
  made.flags = kNullable;
  return Parts<ArrowSchema>::give(std::move(parts), made);
}

Owned<ArrowArray> make_array(std::int64_t length, std::int64_t nulls, std::vector<const void*> buffers,
                             std::vector<Owned<ArrowArray>> children, std::shared_ptr<const void> keeper,
                             Owned<ArrowArray> dictionary) {
  auto parts = std::make_unique<Parts<ArrowArray>>(std::move(children), std::move(dictionary));
  parts->buffers = std::move(buffers);
  parts->keeper = std::move(keeper);
  ArrowArray made{};
  made.length = length;
  made.null_count = nulls;
  made.n_buffers = static_cast<std::int64_t>(parts->buffers.size());
  made.buffers = parts->buffers.data();
  return Parts<ArrowArray>::give(std::move(parts), made);
}

Owned<ArrowSchema> share(const ArrowSchema& schema, const std::shared_ptr<const void>& keeper) {
  return share_one(schema, keeper, 0);
}

Owned<ArrowArray> share(const ArrowArray& array, const std::shared_ptr<const void>& keeper) {
  return share_one(array, keeper, 0);
}

}  // namespace budgie::columns
