// SPDX-License-Identifier: Apache-2.0
// Counts made in pieces and an exchange shared out are the same as those made at once; packed counts are checked.
#include "clusters/exchange.hpp"
#include "clusters/packed_counts.hpp"
#include "testing.hpp"

using namespace budgie::clusters;
using namespace budgie::testing;

namespace {

constexpr budgie::text::WordFolding kFolding{};

template <class Counter>
Counter& read(Counter& counter, std::string_view text) {
  counter.read(text);
  counter.finish_file();
  return counter;
}

WordCounts words_of(std::string_view text) {
  WordCounter counter(kFolding);
  return read(counter, text).take();
}

Bigrams bigrams_of(const WordNumbers& vocabulary, std::string_view text) {
  BigramCounter counter(vocabulary, kFolding);
  return read(counter, text).take();
}

// Sentences of words whose neighbours depend on them.
std::string made_up_text(unsigned sentences, unsigned seed) {
  std::string text;
  for (unsigned s = 0; s < sentences; ++s) {
    unsigned word = seed = seed * 1664525 + 1013904223;
    for (unsigned i = 0; i < 3 + s % 5; ++i) {
      word = word * 69069 + 1;
      text += "w" + std::to_string((word >> 16) % (7 + i * i)) + ' ';
    }
    text += '\n';
  }
  return text;
}

void counts_of_pieces() {
  const std::string one = made_up_text(50, 1), other = made_up_text(80, 2);
  WordCounter whole(kFolding), pieces(kFolding);
  read(whole, one + other);
  pieces.add(words_of(one));
  pieces.add(words_of(other));
  EXPECT(pieces.words() == whole.words());
  const WordCounts kept = whole.keep(30, 2);
  EXPECT(pack(pieces.keep(30, 2)) == pack(kept));
  EXPECT(pack(pieces.take()) == pack(whole.take()));

  BigramCounter pairs(kept.vocabulary, kFolding);
  read(pairs, one);
  pairs.add(bigrams_of(kept.vocabulary, other));
  pairs.add(bigrams_of(kept.vocabulary, " \n"));
  EXPECT(pairs.words() == whole.words());
  EXPECT(pack(pairs.take()) == pack(bigrams_of(kept.vocabulary, one + other)));
  EXPECT(throws<std::invalid_argument>([&] { pairs.add(bigrams_of(words_of("a").vocabulary, "a")); }));
}

void too_many_of_a_pair() {
  const WordCounts kept = words_of("a");
  const Bigrams often = unpack_bigrams(std::string_view("\3\1\0\xFF\xFF\xFF\xFF\x0F\0\0", 10));
  BigramCounter counter(kept.vocabulary, kFolding);
  counter.add(often);
  EXPECT(throws<std::overflow_error>([&] { counter.add(often); }));
}

void packed_counts() {
  const WordCounts words = words_of("a bb a \xC3\xA9\n");
  EXPECT(pack(unpack_words(pack(words))) == pack(words));
  EXPECT(pack(unpack_words(pack(WordCounts{}))) == pack(WordCounts{}));
  const Bigrams bigrams = bigrams_of(words.vocabulary, "a bb a c\na a\n");
  const Bigrams back = unpack_bigrams(pack(bigrams));
  EXPECT(pack(back) == pack(bigrams));
  EXPECT(back.total == bigrams.total && back.totals == bigrams.totals);
  EXPECT(back.before.starts == bigrams.before.starts);
}

// Bytes cut short, with one more, and with any bit turned over, are refused or are sound.
template <class Unpack, class Use>
void hostile(const std::string& packed, Unpack&& unpack, Use&& use) {
  for (std::size_t size = 0; size < packed.size(); ++size) {
    EXPECT(throws<std::invalid_argument>([&] { unpack(packed.substr(0, size)); }));
  }
  EXPECT(throws<std::invalid_argument>([&] { unpack(packed + '\0'); }));
  for (std::size_t bit = 0; bit < 8 * packed.size(); ++bit) {
    std::string turned = packed;
    turned[bit / 8] = static_cast<char>(turned[bit / 8] ^ 1 << bit % 8);
    try {
      use(unpack(turned));
    } catch (const std::invalid_argument&) {
    }
  }
}

void hostile_bytes() {
  const std::string text = made_up_text(12, 3);
  const WordCounts words = words_of(text);
  hostile(pack(words), unpack_words, [](const WordCounts& counts) {
    WordCounter counter(kFolding);
    counter.add(counts);
    EXPECT(counter.keep(5, 1).counts.size() <= 5);
  });
  hostile(pack(bigrams_of(words.vocabulary, text)), unpack_bigrams, [](const Bigrams& bigrams) {
    if (bigrams.total == 0) return;
    for (const bool two_sided : {false, true}) {
      Exchange exchange(bigrams, {3, two_sided, 1, 1, 1, 4});
      while (exchange.advance(1, 1.0)) {
      }
      EXPECT(exchange.classes_of_words().size() == bigrams.words());
    }
  });
  const std::string huge = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", longer = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";
  for (const std::string& number : {huge, longer}) {
    EXPECT(throws<std::invalid_argument>([&] { unpack_words(number); }));
    EXPECT(throws<std::invalid_argument>([&] { unpack_bigrams(number); }));
  }
  EXPECT(throws<std::invalid_argument>([] { unpack_words("\2\1\1\1\1aa"); }));                  // twice the same word
  EXPECT(throws<std::invalid_argument>([] { unpack_words(std::string("\1\1\0a", 4)); }));       // that is never there
  EXPECT(throws<std::invalid_argument>([] { unpack_bigrams(std::string("\2\1\2\1\0", 5)); }));  // no such symbol
}

// Some replicas that share the words of each batch; one of them is made anew after each round.
void shared_exchange(bool two_sided, std::size_t shares) {
  const std::string text = made_up_text(400, 4);
  const WordCounts words = words_of(text);
  const Bigrams bigrams = bigrams_of(words.vocabulary, text);
  const Exchange::Settings settings{4, two_sided, 2, 5, 7, 5};
  Exchange alone(bigrams, settings);
  std::vector<Exchange> replicas;
  for (std::size_t i = 0; i < shares; ++i) replicas.emplace_back(bigrams, settings);
  while (!alone.done()) {
    std::vector<std::uint32_t> choices;
    for (std::size_t i = 0; i < shares; ++i) {
      const std::vector<std::uint32_t> some = replicas[i].choose(i, shares, 1);
      choices.resize(std::max(choices.size(), some.empty() ? 0 : i + shares * (some.size() - 1) + 1));
      for (std::size_t k = 0; k < some.size(); ++k) choices[i + shares * k] = some[k];
    }
    const std::size_t round = alone.round();
    alone.next_batch(1);
    for (Exchange& replica : replicas) replica.apply(choices, 1);
    if (alone.round() == round) continue;
    replicas.pop_back();
    replicas.emplace_back(bigrams, settings);
    replicas.back().resume(alone.round(), alone.last_moves(), alone.classes_of_words());
  }
  EXPECT(alone.round() > 6);
  for (const Exchange& replica : replicas) {
    EXPECT(replica.done() && replica.round() == alone.round() && replica.last_moves() == alone.last_moves());
    EXPECT(replica.classes_of_words() == alone.classes_of_words());
  }
  Exchange& one = replicas.front();
  EXPECT(one.choose(0, 1, 1).empty());
  EXPECT(throws<std::invalid_argument>([&] { one.apply({}, 1); }));  // it is done
}

void choices_and_places_that_cannot_be() {
  const WordCounts words = words_of("a b c d e f");
  const Bigrams bigrams = bigrams_of(words.vocabulary, "a b c d e f");
  Exchange exchange(bigrams, {2, true, 1, 2, 1, 6});
  const std::size_t size = exchange.choose(0, 1, 1).size();
  EXPECT(throws<std::invalid_argument>([&] { exchange.choose(0, 0, 1); }));
  EXPECT(throws<std::invalid_argument>([&] { exchange.apply(std::vector<std::uint32_t>(size + 1), 1); }));
  EXPECT(throws<std::invalid_argument>([&] { exchange.apply(std::vector<std::uint32_t>(size, 3), 1); }));
  EXPECT(throws<std::invalid_argument>([&] { exchange.resume(1, 0, {0, 0, 0}); }));
  EXPECT(throws<std::invalid_argument>([&] { exchange.resume(1, 0, {0, 0, 0, 0, 0, 3}); }));
  EXPECT(throws<std::invalid_argument>([&] { exchange.resume(2, 0, {0, 0, 0, 0, 0, 2}); }));  // classes were merged
  EXPECT(throws<std::invalid_argument>([&] { exchange.resume(6, 0, {0, 0, 0, 0, 0, 0}); }));
  exchange.resume(5, 3, {0, 0, 0, 0, 0, 1});
  EXPECT(exchange.done());
}

}  // namespace

int main() {
  counts_of_pieces();
  too_many_of_a_pair();
  packed_counts();
  hostile_bytes();
  for (const bool two_sided : {false, true}) {
    for (const std::size_t shares : {1, 2, 3}) shared_exchange(two_sided, shares);
  }
  choices_and_places_that_cannot_be();
  return result("clusters");
}
