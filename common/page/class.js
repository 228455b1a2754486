// SPDX-License-Identifier: Apache-2.0
// The page of a class. page.h says what `data` holds.
"use strict";

const kLetters = {
  p: "pass", h: "partial", f: "fail", w: "waits", r: "review", n: "not_measured", x: "hidden", " ": "not_measured",
};
const students = data.students;
students.forEach((student, index) => { student.index = index; });

function counted() {
  return students.filter((s) => s.points !== null);
}

function bar(share, words) {
  const filled = el("span", {});
  filled.style.width = (100 * share).toFixed(1) + "%";
  return el("td", { class: "bar" }, filled, el("b", {}, words));
}

function spread() {
  const all = counted().map((s) => s.points).sort((a, b) => a - b);
  if (all.length === 0) return "no points given";
  const mean = all.reduce((sum, p) => sum + p, 0) / all.length;
  const middle = (all[Math.floor(all.length / 2)] + all[Math.floor((all.length - 1) / 2)]) / 2;
  return "mean " + shown(Math.round(mean * 10) / 10) + ", median " + shown(middle) + " of " + shown(data.max);
}

function headline() {
  const kinds = new Map();
  for (const s of students) kinds.set(s.verdict, (kinds.get(s.verdict) || 0) + 1);
  const parts = [...kinds].sort((a, b) => b[1] - a[1])
    .map(([kind, count]) => count + " " + statusOf(kind)[1].toLowerCase());
  return el("header", {},
    el("h1", {}, data.homework + ": " + data.title),
    el("p", { class: "sum" }, students.length + " submissions; " + spread()),
    el("p", {}, parts.join(", ")),
    data.absent > 0
      ? el("p", { class: "soft" }, data.absent + " with results of an earlier run are not in this class and not on this page.")
      : null);
}

function distribution() {
  const bins = [];
  for (let i = 0; i < 10; ++i) bins.push([i, 0]);
  bins.push([10, 0]);
  for (const s of counted()) bins[Math.min(10, Math.floor((s.points / data.max) * 10 + 1e-9))][1] += 1;
  const most = Math.max(1, ...bins.map((b) => b[1]));
  const label = (i) => (i === 10 ? shown(data.max)
    : shown((data.max * i) / 10) + " to below " + shown((data.max * (i + 1)) / 10));
  return el("section", {}, el("h2", {}, "Distribution of points"),
    el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Points"), el("th", { scope: "col" }, "Submissions"))),
      el("tbody", {}, bins.map(([i, count]) =>
        el("tr", {}, el("th", { scope: "row" }, label(i)), bar(count / most, String(count)))))));
}

function rateOf(index) {
  const rate = { pass: 0, reached: 0, waits: 0, unknown: 0 };
  for (const s of students) {
    const status = kLetters[s.checks[index]];
    if (s.points === null || status === undefined) continue;
    if (status === "waits") rate.waits += 1;
    else if (status === "not_measured" || status === "review" || status === "hidden") rate.unknown += 1;
    else {
      rate.reached += 1;
      if (status === "pass") rate.pass += 1;
    }
  }
  return rate;
}

function passRates() {
  const rates = data.checks.map((check, index) => ({ check, ...rateOf(index) }));
  const tried = rates.filter((r) => r.reached > 0 && r.check.max > 0);
  const hardest = tried.reduce((worst, r) =>
    (worst === null || r.pass / r.reached < worst.pass / worst.reached ? r : worst), null);
  const rows = rates.map((r) => el("tr", {},
    el("th", { scope: "row" }, r.check.title, r.check.hidden ? " (hidden from students)" : ""),
    el("td", { class: "wide" }, el("code", {}, r.check.id)),
    el("td", { class: "number" }, r.check.max > 0 ? shown(r.check.max) : "gate"),
    r.reached > 0
      ? bar(r.pass / r.reached, r.pass + " of " + r.reached + " (" + Math.round((100 * r.pass) / r.reached) + " %)")
      : el("td", {}, "nobody came to it"),
    el("td", { class: "number wide" }, String(r.waits)),
    el("td", { class: "number wide" }, String(r.unknown))));
  const head = [["Check", null], ["Id", "wide"], ["Points", "number"], ["Passed, of those who came to it", null],
    ["Waiting for an earlier check", "wide"], ["Not measured or for review", "wide"]];
  return el("section", { class: "class" }, el("h2", {}, "Pass rate of each check"),
    hardest === null ? null : el("p", {}, "The hardest: ", el("strong", {}, hardest.check.title), ", passed by " +
      hardest.pass + " of " + hardest.reached + " who came to it."),
    scrolling("Pass rates", el("table", {}, el("thead", {}, el("tr", {}, head.map(([h, look]) => el("th", { scope: "col", class: look }, h)))),
      el("tbody", {}, rows))));
}

function nameOf(index) {
  return link(students[index].file, students[index].name);
}

function listed(members) {
  const items = [];
  members.forEach((index, at) => items.push(at > 0 ? ", " : "", nameOf(index)));
  return items;
}

function forPerson() {
  const infra = students.filter((s) => s.verdict === "infra_error");
  const review = students.filter((s) => s.review > 0 || s.verdict === "review");
  const parts = [];
  if (infra.length > 0)
    parts.push(el("h3", {}, "Infrastructure errors: no points given or taken; the same run tries again"),
      el("ul", {}, infra.map((s) => el("li", { class: "word" }, nameOf(s.index), ": ", s.words))));
  if (review.length > 0)
    parts.push(el("h3", {}, "Left to a person by the rubric"),
      el("ul", {}, review.map((s) => el("li", { class: "word" }, nameOf(s.index), ": " + shown(s.review) + " points"))));
  if (data.similar.length > 0)
    parts.push(el("h3", {}, "Very similar by their compiled code"),
      el("p", { class: "soft" }, data.similar_words),
      el("ul", {}, data.similar.map((g) => el("li", { class: "word" }, listed(g.members), ": " +
        (g.least < g.most ? Math.floor(100 * g.least) + " to " : "") + Math.floor(100 * g.most) + " % the same"))));
  if (data.not_compared > 0)
    parts.push(el("p", { class: "soft" }, data.not_compared +
      " could not be compared: what they hand in does not compile, adds nothing to what was given, or was graded before the code was kept."));
  if (parts.length === 0) parts.push(el("p", {}, "None."));
  return el("section", {}, el("h2", {}, "For a person to look at"), parts);
}

const inGroup = new Set(data.similar.flatMap((g) => g.members));
function needsPerson(s) {
  return s.verdict === "infra_error" || s.review > 0 || s.verdict === "review" || inGroup.has(s.index);
}

function strip(s) {
  const words = [...s.checks].map((letter) => statusOf(kLetters[letter]));
  const passed = [...s.checks].filter((letter) => letter === "p").length;
  return el("span", { class: "strip code", role: "img", "aria-label": passed + " of " + s.checks.length + " checks passed" },
    words.map((w) => w[0]).join(""));
}

function row(s) {
  const [sign, words, look] = statusOf(s.verdict);
  const notes = [];
  if (inGroup.has(s.index)) notes.push("similar");
  if (s.review > 0) notes.push("review");
  if (s.verdict === "infra_error") notes.push("infrastructure");
  if (s.weak) notes.push("weak sandbox");
  return el("tr", {},
    el("th", { scope: "row", class: "name" }, link(s.file, s.name)),
    el("td", { class: "number" }, points(s.points, s.max)),
    el("td", {}, el("span", { class: look }, sign + " " + words), s.reason ? " (" + s.reason + ")" : ""),
    el("td", { class: "wide" }, strip(s)),
    el("td", { class: "wide" }, s.first >= 0 ? data.checks[s.first].title : ""),
    el("td", {}, notes.join(", ")));
}

const kColumns = [
  ["Name", (s) => s.name, true, "name"],
  ["Points", (s) => (s.points === null ? -1 : s.points), false, "number"],
  ["Verdict", (s) => s.verdict + " " + s.reason, true, null],
  ["Checks", (s) => [...s.checks].filter((letter) => letter === "p").length, false, "wide"],
  ["First missed", (s) => (s.first < 0 ? 1e9 : s.first), false, "wide"],
  ["To look at", (s) => (needsPerson(s) ? 0 : 1), false, null],
];

function table() {
  const body = el("tbody", {});
  const told = el("p", { role: "status", class: "soft" });
  const rows = students.map(row);
  const names = new Intl.Collator(undefined, { numeric: true });
  const state = { column: 0, down: false };
  const search = el("input", { type: "search", autocomplete: "off" });
  const kinds = [...new Set(students.map((s) => s.verdict))].sort();
  const verdict = select([["", "all"], ...kinds.map((k) => [k, statusOf(k)[1]])]);
  const missed = select([["", "any"], ...data.checks.map((c, i) => [i, c.title])]);
  const person = el("input", { type: "checkbox" });

  function matches(s) {
    const text = search.value.trim().toLowerCase();
    const letter = missed.value === "" ? "f" : s.checks[Number(missed.value)];
    return (text === "" || s.name.toLowerCase().includes(text)) &&
      (verdict.value === "" || s.verdict === verdict.value) &&
      (letter === "f" || letter === "h" || letter === "w") && (!person.checked || needsPerson(s));
  }
  function show() {
    const [, key, isText] = kColumns[state.column];
    const chosen = students.filter(matches).sort((a, b) => {
      const order = isText ? names.compare(key(a), key(b)) : key(a) - key(b);
      return (state.down ? -order : order) || a.index - b.index;
    });
    body.replaceChildren(...chosen.map((s) => rows[s.index]));
    told.textContent = chosen.length + " of " + students.length + " shown";
  }
  const heads = kColumns.map(([words, , , look], index) => {
    const button = el("button", { type: "button" }, words);
    const head = el("th", { scope: "col", class: look }, button);
    button.addEventListener("click", () => {
      state.down = state.column === index ? !state.down : false;
      state.column = index;
      heads.forEach((h, i) => {
        if (i === index) h.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else h.removeAttribute("aria-sort");
      });
      show();
    });
    return head;
  });
  heads[0].setAttribute("aria-sort", "ascending");
  for (const control of [search, verdict, missed, person]) control.addEventListener("input", show);
  show();
  return el("section", { class: "class" }, el("h2", { id: "all" }, "All submissions"),
    el("div", { class: "controls" }, field("Name holds", search), field("Verdict", verdict), field("Missed check", missed),
      field("to be looked at only", person, true)),
    told,
    scrolling("All submissions", el("table", {}, el("thead", {}, el("tr", {}, heads)), body)),
    el("p", { class: "soft" }, "Checks, in the order above: ",
      ["pass", "partial", "fail", "waits", "review", "not_measured"].map((k) => statusOf(k)[0] + " " + statusOf(k)[1]).join(", ")));
}

document.title = data.homework + ": results";
fill(document.getElementById("page"), el("a", { class: "skip", href: "#all" }, "To the table"), headline(), forPerson(),
  distribution(), passRates(), table(),
  el("section", {}, el("h2", {}, "How it was graded"), el("dl", { class: "facts" },
    data.facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))));
ready();
