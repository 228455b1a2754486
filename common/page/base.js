// SPDX-License-Identifier: Apache-2.0
// What both pages use. Text comes into the page as text alone: el() makes elements of fixed names,
// and whatever is a string becomes a text node.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

// Characters that turn the direction of writing would turn our words around them, too.
function plain(child) {
  return typeof child === "string" ? child.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "?") : child;
}

function held(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== "").map(plain);
}

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of held(children)) element.append(child);
  return element;
}

// A page of the same folder; nothing else is ever linked to.
function link(file, words) {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]*\.html$/.test(file) ? el("a", { href: file }, words) : words;
}

const kStatus = {
  pass: ["\u2713", "pass", "good"],
  partial: ["\u25D0", "partial", "some"],
  fail: ["\u2717", "FAIL", "bad"],
  waits: ["\u00B7", "waits", "soft"],
  review: ["?", "review", "some"],
  not_measured: ["\u2013", "not measured", "soft"],
  hidden: ["#", "hidden", "soft"],
  student_error: ["\u2717", "student error", "bad"],
  infra_error: ["!", "infrastructure error", "some"],
};

function statusOf(key) {
  return kStatus[key] || ["?", key, "soft"];
}

// Four digits that count, as the grader prints.
function shown(value) {
  if (value === null || value === undefined) return "\u2013";
  if (typeof value !== "number") return String(value);
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(4)));
}

function short(value) {
  const units = [[1e9, "G"], [1e6, "M"], [1e4, "k"]];
  for (const [least, unit] of units)
    if (value >= least) return shown(Math.round(value / (unit === "k" ? 1e2 : least / 10)) / 10) + unit;
  return shown(value);
}

function points(value, most) {
  return value === null ? "\u2013 / " + shown(most) : shown(Math.round(value * 100) / 100) + " / " + shown(most);
}

// A table that is wider than its place scrolls by itself, by the keyboard, too.
function scrolling(label, table) {
  return el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, table);
}

function field(words, control, beside) {
  return el("label", { class: beside ? "beside" : null }, beside ? [control, words] : [words, control]);
}

function select(options) {
  return el("select", {}, options.map(([value, words]) => el("option", { value: String(value) }, words)));
}

function fill(element, ...children) {
  element.replaceChildren(...held(children));
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

// For tests and the curious: milliseconds until the page was there.
function ready() {
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}
