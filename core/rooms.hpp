// SPDX-License-Identifier: Apache-2.0
// The rooms of the core, one namespace each, in the order in which a text walks through them. A room sees the rooms it
// builds on, and no other; a name means one thing in each.
#pragma once

namespace budgie {

namespace text {}  // namespace text
namespace features {
using namespace text;  // characters, words, units -> row numbers of embedding matrices
}
namespace network {
using namespace features;  // rows -> hidden layer -> scores
}
namespace tasks {
using namespace network;  // scores -> languages, tags, words, orders
}
namespace annotation {
using namespace tasks;  // the tasks one behind the other: a text -> a document
}
namespace model {
using namespace tasks;  // a file -> a checked model -> one of the tasks
}
namespace columns {
using namespace annotation;  // columns of texts -> columns of answers
}
namespace training {
using namespace tasks;  // what only training needs of all that
}
namespace clusters {
using namespace text;  // a text -> classes of words
}

}  // namespace budgie
