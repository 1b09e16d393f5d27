// SPDX-License-Identifier: Apache-2.0
// wink.js TEXTS OUT annotate | CALL SECONDS LEAST_PASSES PART: tokens and tags of each text, or passes (texts
// and CPU time) and the peak of memory.
const fs = require("fs");
const winkNLP = require("wink-nlp");
const model = require("wink-eng-lite-web-model");

const [given, out, call, ...numbers] = process.argv.slice(2);
const texts = JSON.parse(fs.readFileSync(given, "utf8"));
const nlp = winkNLP(model, call === "tokens" ? ["sbd"] : ["sbd", "pos"]);
const its = nlp.its;

function sentences(text) {
  const found = [];
  nlp.readDoc(text).sentences().each((sentence) => {
    const tokens = sentence.tokens();
    const tags = tokens.out(its.pos);
    found.push(tokens.out().map((form, i) => [form, tags[i]]));
  });
  return found;
}

const calls = {
  tokens: (text) => {
    const doc = nlp.readDoc(text);
    return [doc.tokens().out(), doc.sentences().out()];
  },
  tags: (text) => {
    const tokens = nlp.readDoc(text).tokens();
    return [tokens.out(), tokens.out(its.pos)];
  },
};

function cpu() {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
}

function onePass(some, limit) {
  const start = cpu();
  let done = 0;
  while (done < some.length && cpu() - start < limit) calls[call](some[done++]);
  return [done, cpu() - start];
}

function passes(limit, least, part) {
  const found = [onePass(texts.slice(0, Math.max(1, Math.floor(texts.length / part))), limit)];
  let spent = found[0][1];
  while (spent < limit || found.length < least) {
    found.push(onePass(texts, limit / 2));
    spent += found[found.length - 1][1];
  }
  return [found, process.resourceUsage().maxRSS * 1024];
}

const result = call === "annotate" ? texts.map(sentences) : passes(...numbers.map(Number));
fs.writeFileSync(out, JSON.stringify(result));
