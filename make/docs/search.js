// SPDX-License-Identifier: Apache-2.0
// Search over all pages' sections (search-data.js) with lunr, in the page itself: no server, so it
// works from the disk. The index is made when somebody first types. ?q=words searches at once.
"use strict";
const top_folder = document.currentScript.dataset.top;
const box = document.getElementById("words");
const list = document.getElementById("found");
const kMostFound = 20;
let index = null;

// Code is searched for as it is written ("N*R", "%pk", "--lines"): words end at blanks alone, and are
// known with the signs around them and without. lunr would take a * for any text.
const signless = (word) => word.replace(/^[^\w\u00d7]+|[^\w\u00d7]+$/g, "");
const plain = (text) => text.replaceAll("*", "\u00d7").toLowerCase();
const unquoted = (word) => word.replace(/^[("'\[]+|[)"'\].,;:!?]+$/g, "");

function build() {
  const both = (token) => [...new Set([unquoted(token.toString()), signless(token.toString())])]
    .filter(Boolean).map((word) => token.clone(() => word));
  lunr.Pipeline.registerFunction(both, "both");
  return lunr(function () {
    this.ref("at");
    this.field("heading", { boost: 6 });
    this.field("terms", { boost: 6 });
    this.field("title", { boost: 3 });
    this.field("text");
    this.tokenizer.separator = /\s+/;
    this.pipeline.reset();
    this.pipeline.add(both, lunr.stemmer);
    PAGES.forEach((section, at) => this.add({ at, heading: plain(section.heading), title: plain(section.title),
      terms: plain(section.terms), text: plain(section.text) }));
  });
}

function find(words) {
  index = index || build();
  const asked = plain(words).split(/\s+/).map(unquoted).filter(Boolean);
  if (asked.length === 0) return [];
  const ask = (presence) => index.query((query) => asked.forEach((word) => {
    const stem = lunr.stemmer(new lunr.Token(word)).toString();
    if (asked.length === 1) query.term(stem, { usePipeline: false, boost: 10 });
    query.term(stem + (stem.length > 2 ? "*" : ""), { usePipeline: false, presence });
  }));
  const all = ask(lunr.Query.presence.REQUIRED);
  return all.length > 0 ? all : ask(lunr.Query.presence.OPTIONAL);
}

// Some text around the first of the words, which are marked.
function excerpt(text, words) {
  const line = document.createElement("p");
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, (places.length ? Math.min(...places) : 0) - 60);
  let rest = (start > 0 ? "... " : "") + text.slice(start, start + 220);
  while (rest) {
    const next = words.map((word) => [rest.toLowerCase().indexOf(word), word]).filter(([at]) => at >= 0)
      .sort((a, b) => a[0] - b[0])[0];
    if (!next) break;
    const mark = document.createElement("mark");
    mark.textContent = rest.slice(next[0], next[0] + next[1].length);
    line.append(rest.slice(0, next[0]), mark);
    rest = rest.slice(next[0] + next[1].length);
  }
  line.append(rest);
  return line;
}

function show() {
  const words = box.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  list.hidden = words.length === 0;
  if (list.hidden) return;
  const results = find(box.value).slice(0, kMostFound);
  if (results.length === 0) list.append(Object.assign(document.createElement("p"), { textContent: "Nothing found." }));
  for (const { ref } of results) {
    const section = PAGES[ref];
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = top_folder + section.page + (section.anchor ? "#" + section.anchor : "");
    link.textContent = section.title + (section.heading && section.heading !== section.title ? ": " + section.heading : "");
    item.append(link, excerpt(section.text, words));
    list.append(item);
  }
}

box.addEventListener("input", show);
list.addEventListener("click", () => { list.hidden = true; });
document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== box) { event.preventDefault(); box.focus(); }
  if (event.key === "Escape") { list.hidden = true; box.blur(); }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) { box.value = asked; show(); }
