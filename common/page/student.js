// SPDX-License-Identifier: Apache-2.0
// The page of one submission, or of a student's own run. page.h says what `data` holds.
"use strict";

function quoted(lines, look) {
  return lines && lines.length > 0 ? el("pre", { class: look || "quoted" }, lines.join("\n")) : null;
}

function paragraphs(text) {
  return text ? text.split("\n").filter((line) => line !== "").map((line) => el("p", { class: "word" }, line)) : [];
}

function headline() {
  const [sign, , look] = statusOf(data.verdict);
  const sum = data.points === undefined ? "" : ", " +
    (data.points === null ? "no points given or taken" : points(data.points, data.max) + " points");
  const more = [];
  if (data.undecided > 0) more.push(shown(data.undecided) + " points not measured");
  if (data.review > 0) more.push(shown(data.review) + " points for a person to decide");
  return el("header", {},
    data.back ? el("p", {}, link(data.back, "The class")) : null,
    el("h1", {}, data.homework + ": " + data.name),
    el("p", { class: "sum word" }, el("span", { class: look }, sign + " " + data.words), sum),
    more.length > 0 ? el("p", {}, more.join(", ")) : null,
    data.sandbox === "weak" ? el("p", { class: "bad" }, "Weak sandbox: compiled and run without namespaces.") : null,
    data.sandbox === "middle" ? el("p", {}, "Sandbox without namespaces: files confined by Landlock.") : null,
    paragraphs(data.message), quoted(data.quoted),
    data.first ? el("p", { class: "first word" }, el("strong", {}, "Do this first: "), data.first) : null);
}

function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

function check(c) {
  const key = c.waits_for && c.status !== "pass" ? "waits" : c.status;
  const [sign, words, look] = statusOf(key);
  const worth = c.max > 0 ? points(c.points, c.max) : c.blocks > 0 ? "gate of " + shown(c.blocks) : "";
  const figures = [];
  if (typeof c.threshold === "number") figures.push(["Expected", "limit " + shown(c.threshold)]);
  if (typeof c.measured === "number") figures.push(["Measured", shown(c.measured) + (c.tier ? " (" + c.tier + ")" : "")]);
  if (c.kernel) figures.push(["Kernel", c.kernel]);
  if (c.waits_for) figures.push(["Decided by", c.waits_for]);
  const body = [
    c.hidden ? el("p", { class: "soft" }, "Hidden from students.") : null,
    paragraphs(c.message), quoted(c.quoted), figures.length > 0 ? facts(figures) : null,
    c.costs.flatMap((cost) => [el("p", { class: "word" }, cost.words), quoted(cost.quoted, "quoted line")]),
    c.hint ? el("p", { class: "word" }, el("strong", {}, "Hint: "), c.hint) : null,
    c.reproduce ? [el("p", {}, "Repeat:"), el("code", { class: "command" }, c.reproduce)] : null];
  return el("details", { class: "check", open: key === "fail" || key === "partial" || key === "review" },
    el("summary", {}, el("span", { class: look }, sign + " " + words), el("span", { class: "number" }, worth),
      el("span", { class: "word" }, c.title)), body);
}

function checks() {
  if (data.checks.length === 0) return null;
  return el("section", {}, el("h2", {}, data.checks_title), data.checks.map(check));
}

// Plots of figures over warps a block. A point is a launch; where several have as many warps, all.
function plotData(kernel, metric) {
  const rows = [];
  kernel.points.forEach(([warps, values]) => rows.push([warps, values[metric], null]));
  kernel.reference.forEach(([warps, values]) => rows.push([warps, null, values[metric]]));
  const known = rows.filter(([, a, b]) => typeof a === "number" || typeof b === "number").sort((a, b) => a[0] - b[0]);
  return [0, 1, 2].map((column) => known.map((row) => (typeof row[column] === "number" ? row[column] : null)));
}

function drawn(columns, metric, host) {
  const series = (name, ink, fillInk, size, dash) => ({
    label: name, stroke: colour(ink), width: data.plots.sweep ? 2 : 0, dash, spanGaps: true,
    points: { show: true, size, stroke: colour(ink), fill: colour(fillInk), width: 2 },
  });
  const axis = (label) => ({
    label, stroke: colour("ink"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line") },
    font: "12px system-ui, sans-serif", labelFont: "13px system-ui, sans-serif",
  });
  const most = Math.max(0, ...columns[1].concat(columns[2]).filter((v) => v !== null));
  return new uPlot({
    width: Math.max(280, Math.min(736, host.clientWidth || 736)), height: 300,
    legend: { show: false }, cursor: { show: false },
    scales: { x: { time: false, range: [0, 33] }, y: { range: [0, most > 0 ? most * 1.1 : 1] } },
    axes: [{ ...axis("Warps a block"), splits: () => [1, 4, 8, 12, 16, 20, 24, 28, 32] }, { ...axis(metric.heading), size: 70 }],
    series: [{}, series(data.plots.own, "mine", "mine", 8, []),
      series(data.plots.reference_name, "other", "paper", 12, [6, 4])],
  }, columns, host);
}

function plotTable(columns, metric) {
  const rows = columns[0].map((warps, i) => el("tr", {}, el("td", { class: "number" }, shown(warps)),
    el("td", { class: "number" }, shown(columns[1][i])), el("td", { class: "number" }, shown(columns[2][i]))));
  return el("table", {}, el("caption", {}, metric.heading + " over warps a block"),
    el("thead", {}, el("tr", {}, ["Warps", data.plots.own, data.plots.reference_name || "Reference"].map((h) =>
      el("th", { scope: "col", class: "number" }, h)))), el("tbody", {}, rows));
}

function launches(sign, name, count) {
  return el("span", {}, sign + " " + name + ": " + count + (count === 1 ? " launch" : " launches"));
}

function plots() {
  if (!data.plots || data.plots.kernels.length === 0 || data.plots.metrics.length === 0) return null;
  const kernels = data.plots.kernels.slice();
  if (!data.plots.sweep && kernels.length > 1)
    kernels.unshift({ name: "all kernels", points: kernels.flatMap((k) => k.points), reference: kernels.flatMap((k) => k.reference) });
  const kernel = select(kernels.map((k, i) => [i, k.name]));
  const metric = select(data.plots.metrics.map((m, i) =>
    [i, m.meaning.startsWith(m.heading) ? m.meaning : m.heading + ": " + m.meaning]));
  const host = el("div", { class: "plot" });
  const figures = el("details", { class: "figures" }, el("summary", {}, "As a table"));
  const told = el("p", { class: "key", role: "status" });
  let plot = null;
  function draw() {
    const k = kernels[Number(kernel.value)], m = data.plots.metrics[Number(metric.value)];
    const columns = plotData(k, m.key);
    const own = columns[1].filter((v) => v !== null).length, other = columns[2].filter((v) => v !== null).length;
    if (plot) plot.destroy();
    plot = null;
    fill(told, own + other === 0 ? "Not measured in any launch of this kernel." : launches("\u25CF", data.plots.own, own),
      other > 0 ? launches("\u25CB", data.plots.reference_name, other) : "");
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", m.heading + " over warps a block, of " + k.name + "; the figures are in the table below");
    if (own + other > 0) plot = drawn(columns, m, host);
    fill(figures, el("summary", {}, "As a table"), scrolling("Figures of the plot", plotTable(columns, m)));
  }
  kernel.addEventListener("input", draw);
  metric.addEventListener("input", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  matchMedia("print").addEventListener("change", draw);
  new ResizeObserver(() => { if (plot && Math.abs(plot.width - host.clientWidth) > 20) draw(); }).observe(host);
  return { section: el("section", {}, el("h2", {}, "Figures over warps a block"),
    el("div", { class: "controls" }, field("Kernel", kernel), field("Figure", metric)), told, host, figures), draw };
}

function value(counts, name) {
  return counts[name] || 0;
}

function add(sum, counts) {
  for (const [name, count] of Object.entries(counts)) sum[name] = value(sum, name) + count;
}

// What a line does needlessly, held against its own kernel: kernels differ in size.
function faults(counts, all) {
  const moved = movedBy(counts), ideal = idealOf(counts), found = [];
  const times = (a, b) => shown(Math.round((10 * a) / b) / 10);
  if (ideal > 0 && moved > 1.25 * ideal && moved - ideal >= 0.05 * movedBy(all))
    found.push(times(moved, ideal) + " times the sectors needed");
  const passes = value(counts, "shared_wavefronts"), least = value(counts, "shared_wavefronts_ideal");
  if (least > 0 && passes > 1.1 * least) found.push(times(passes, least) + " passes of shared memory for 1");
  if (value(counts, "local_sectors") > 0) found.push("local memory");
  const warps = value(counts, "warp_instructions"), threads = value(counts, "thread_instructions");
  if (threads > 0 && threads <= 16 * warps && warps >= 0.15 * value(all, "warp_instructions"))
    found.push(times(threads, warps) + " of 32 threads on average");
  const divisions = value(counts, "integer_divisions");
  if (divisions > 0 && 15 * divisions >= 0.05 * value(all, "warp_instructions")) found.push("divisions of whole numbers");
  return found;
}

function movedBy(counts) {
  return value(counts, "global_load_sectors") + value(counts, "global_store_sectors");
}

function idealOf(counts) {
  return Math.max(value(counts, "loaded_sectors"), value(counts, "global_load_requests")) +
    Math.max(value(counts, "stored_sectors"), value(counts, "global_store_requests"));
}

// By line, summed over the kernels that are shown: counts, share of instructions and why it is marked.
function lineCosts(chosen) {
  const lines = new Map(), total = {};
  for (const kernel of chosen) {
    const all = {};
    for (const [, counts] of kernel.lines) add(all, counts);
    add(total, all);
    for (const [line, counts] of kernel.lines) {
      if (!lines.has(line)) lines.set(line, { counts: {}, why: [], kernels: new Map() });
      const cost = lines.get(line);
      add(cost.counts, counts);
      for (const words of faults(counts, all))
        cost.kernels.set(words, [...(cost.kernels.get(words) || []), kernel.name]);
    }
  }
  for (const cost of lines.values())
    for (const [words, names] of [...cost.kernels].slice(0, 3)) {
      const rest = names.length > 3 ? " and " + (names.length - 3) + " more" : "";
      cost.why.push(words + (chosen.length > 1 ? " (" + names.slice(0, 3).join(", ") + rest + ")" : ""));
    }
  for (const cost of lines.values()) {
    const instructions = value(total, "warp_instructions");
    cost.share = instructions > 0 ? value(cost.counts, "warp_instructions") / instructions : 0;
    if (cost.share >= 0.1) cost.why.unshift(Math.round(100 * cost.share) + " % of instructions");
  }
  return { lines, total };
}

function pair(value, ideal, look) {
  if (!value) return el("td", { class: "number wide " + look });
  return el("td", { class: "number wide " + look, title: value + " of ideally " + ideal }, short(value) + " / " + short(ideal));
}

// What is known to be wrong with a line; else why it is marked.
function notesOf(line, cost) {
  const told = data.notes.filter((note) => note.line === line).map((note) => note.words);
  if (told.length === 0 && cost && cost.why.length > 0) told.push(cost.why.join(", "));
  return told.map((words) => el("tr", { class: "note" },
    el("td", { colspan: "7" }, el("span", { class: "some" }, "\u25B2 " + words))));
}

function sourceRow(line, text, cost, pick) {
  const coded = data.lines_with_code.has(line);
  const at = coded && pick
    ? el("button", { type: "button", "aria-label": "Machine code of line " + line }, String(line)) : String(line);
  if (coded && pick) at.addEventListener("click", () => pick(line));
  const counts = cost ? cost.counts : {};
  const marked = cost && cost.why.length > 0, instructions = value(counts, "warp_instructions");
  return el("tr", { id: "L" + line, class: marked ? "costly" : null },
    el("td", {}, marked ? "\u25B2" : ""),
    el("td", { class: "at" }, at),
    el("td", { class: "number", title: instructions > 0 ? instructions + " warp instructions" : null },
      instructions > 0 ? (cost.share < 0.0005 ? "<0.1" : (100 * cost.share).toFixed(1)) : ""),
    pair(movedBy(counts), idealOf(counts), "sectors"),
    pair(value(counts, "shared_wavefronts"), value(counts, "shared_wavefronts_ideal"), "shared"),
    el("td", { class: "number wide local" }, value(counts, "local_sectors") > 0 ? short(value(counts, "local_sectors")) : ""),
    el("td", { class: "text" }, text));
}

const kMostLines = 3000;

function sourceTable(chosen, pick, whole) {
  const costs = lineCosts(chosen);
  const body = el("tbody", {});
  const last = whole ? data.source.lines.length : Math.min(kMostLines, data.source.lines.length);
  for (let i = 0; i < last; ++i) {
    const cost = costs.lines.get(i + 1);
    body.append(sourceRow(i + 1, data.source.lines[i], cost, pick));
    for (const note of notesOf(i + 1, cost)) body.append(note);
  }
  const heads = [["", ""], ["Line", "number"], ["Instr. %", "number"], ["Sectors / ideal", "number wide sectors"],
    ["Shared passes / ideal", "number wide shared"], ["Local sectors", "number wide local"], [data.source.file, ""]];
  // What no line has takes no room.
  const without = [["sectors", "global_load_sectors"], ["sectors", "global_store_sectors"], ["shared", "shared_wavefronts"],
    ["local", "local_sectors"]];
  const there = new Set(without.filter(([, metric]) => costs.total[metric] > 0).map(([look]) => look));
  const hidden = without.map(([look]) => look).filter((look) => !there.has(look)).map((look) => " no-" + look).join("");
  const table = el("table", { class: "source code" + hidden },
    el("thead", {}, el("tr", {}, heads.map(([h, look]) => el("th", { scope: "col", class: look }, h)))), body);
  return { table, costs };
}

function costliest(costs) {
  const rows = [...costs.lines].filter(([, cost]) => cost.why.length > 0).sort((a, b) => b[1].share - a[1].share).slice(0, 8);
  if (rows.length === 0) return el("p", { class: "soft" }, costs.lines.size > 0 ? "No line stands out." : "");
  return el("div", {}, el("p", {}, "Costly lines (\u25B2):"), el("ul", {}, rows.map(([line, cost]) =>
    el("li", {}, el("a", { href: "#L" + line }, "line " + line), ": " + cost.why.join(", ")))));
}

function sassList(index, line, show) {
  const f = data.code.functions[index];
  const text = f.code.split("\n");
  const items = [];
  let at = 0;
  for (const [file, place, count] of f.places)
    for (let i = 0; i < count; ++i, ++at) {
      const mine = file === data.code.student_file && place > 0;
      const item = el("li", { class: mine && place === line ? "chosen" : null },
        el("span", { class: "soft" }, (f.first + 16 * at).toString(16).padStart(4, "0")), el("span", {}, text[at]),
        el("span", { class: "at" }, mine ? el("a", { href: "#L" + place }, String(place)) : ""));
      items.push(item);
    }
  const list = el("ol", { class: "code" }, items);
  fill(show, list);
  const first = list.querySelector(".chosen");
  if (first) first.scrollIntoView({ block: "center" });
}

function source() {
  if (!data.source) return null;
  const kernel = select([["", "all together"], ...data.kernels.map((k, i) => [i, k.name])]);
  const place = el("div", {}), costs = el("div", {}), list = el("div", {});
  const code = data.code ? select(data.code.functions.map((f, i) => [i, f.name])) : null;
  const panel = el("aside", { class: "sass", "aria-label": "Machine code", hidden: true, tabindex: "0" },
    code ? field("Machine code (SASS) of", code) : null, list);
  const both = el("div", { class: "beside" }, place, panel);
  const toggle = el("button", { type: "button", "aria-expanded": "false" }, "Machine code beside it");
  const all = el("button", { type: "button" }, "All " + data.source.lines.length + " lines");
  let chosenLine = 0, whole = data.source.lines.length <= kMostLines;

  function open(on) {
    panel.hidden = !on;
    both.classList.toggle("two", on);
    toggle.setAttribute("aria-expanded", String(on));
    if (on) sassList(Number(code.value), chosenLine, list);
  }
  function pick(line) {
    place.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    place.querySelector("#L" + line).classList.add("chosen");
    chosenLine = line;
    const here = (f) => f.places.some(([file, at]) => file === data.code.student_file && at === line);
    if (!here(data.code.functions[Number(code.value)])) code.value = String(data.code.functions.findIndex(here));
    open(true);
  }
  function show() {
    const chosen = kernel.value === "" ? data.kernels : [data.kernels[Number(kernel.value)]];
    const made = sourceTable(chosen, code ? pick : null, whole);
    fill(place, scrolling("Source with counts", made.table));
    fill(costs, costliest(made.costs));
    if (code && kernel.value !== "") {
      const same = data.code.functions.findIndex((f) => f.name === data.kernels[Number(kernel.value)].name);
      if (same >= 0) code.value = String(same);
      if (!panel.hidden) open(true);
    }
  }
  kernel.addEventListener("input", show);
  toggle.addEventListener("click", () => open(panel.hidden));
  if (code) code.addEventListener("input", () => open(true));
  all.addEventListener("click", () => { whole = true; all.remove(); show(); });
  show();
  return el("section", {}, el("h2", {}, "Source"),
    el("p", { class: "soft" }, data.source.words),
    el("div", { class: "controls" }, data.kernels.length > 0 ? field("Counts of", kernel) : null, code ? toggle : null, whole ? null : all),
    code ? null : el("p", { class: "soft" }, "No machine code: " + data.no_code), costs, both);
}

data.lines_with_code = new Set(!data.code ? [] : data.code.functions.flatMap((f) =>
  f.places.filter(([file]) => file === data.code.student_file).map(([, line]) => line)));
document.title = data.homework + ": " + data.name;
const plotting = plots();
fill(document.getElementById("page"), headline(), checks(), plotting ? plotting.section : null, source(),
  el("section", {}, el("h2", {}, "How it was done"), facts(data.facts)));
if (plotting) plotting.draw();
ready();
