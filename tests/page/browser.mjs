// SPDX-License-Identifier: Apache-2.0
// Drives a headless Chromium through its DevTools protocol: reads steps as JSON on standard input,
// prints {"values": what each "eval" gave, "console": messages, exceptions and violations of a
// page's policy}. Steps: {"open": PATH}, {"follow": SELECTOR of a link}, {"eval": EXPRESSION}, {"size": [WIDTH, HEIGHT]},
// {"media": "print" or "", "dark": true}, {"press": KEY}, {"screenshot": PATH}, {"pdf": PATH}.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const profile = mkdtempSync(join(tmpdir(), "lockstep-browser-"));
const chromium = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
  "--no-first-run", "--disable-dev-shm-usage", "--user-data-dir=" + profile, "--remote-debugging-pipe", "about:blank"],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

const waiting = new Map();
const events = [];
const messages = [];
let next = 0, buffer = "", session;

function take(message) {
  if (message.id !== undefined) {
    const { done, fail } = waiting.get(message.id);
    waiting.delete(message.id);
    return message.error ? fail(new Error(JSON.stringify(message.error))) : done(message.result);
  }
  const p = message.params;
  if (message.method === "Runtime.consoleAPICalled")
    messages.push(p.type + ": " + p.args.map((a) => a.value ?? a.description).join(" "));
  if (message.method === "Runtime.exceptionThrown")
    messages.push("exception: " + (p.exceptionDetails.exception?.description ?? p.exceptionDetails.text));
  if (message.method === "Log.entryAdded") messages.push(p.entry.level + ": " + p.entry.text);
  if (message.method === "Page.javascriptDialogOpening") {
    messages.push("dialog: " + p.message);
    send("Page.handleJavaScriptDialog", { accept: true });
  }
  for (const event of events.splice(0)) {
    if (event.method === message.method) event.done(p);
    else events.push(event);
  }
}

chromium.stdio[4].setEncoding("utf8");
chromium.stdio[4].on("data", (text) => {
  buffer += text;
  for (let end = buffer.indexOf("\0"); end >= 0; end = buffer.indexOf("\0")) {
    take(JSON.parse(buffer.slice(0, end)));
    buffer = buffer.slice(end + 1);
  }
});

function send(method, params = {}) {
  const id = ++next;
  chromium.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
  return new Promise((done, fail) => waiting.set(id, { done, fail }));
}

function once(method) {
  return new Promise((done) => events.push({ method, done }));
}

async function evaluate(expression) {
  const got = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  if (got.exceptionDetails) throw new Error(expression + ": " + got.exceptionDetails.exception?.description);
  return got.result.value;
}

async function step(s, values) {
  if (s.open) {
    const loaded = once("Page.loadEventFired");
    await send("Page.navigate", { url: "file://" + resolve(s.open) });
    await loaded;
  }
  if (s.follow) {
    const loaded = once("Page.loadEventFired");
    await evaluate(`document.querySelector(${JSON.stringify(s.follow)}).click()`);
    await loaded;
  }
  if (s.size)
    await send("Emulation.setDeviceMetricsOverride", { width: s.size[0], height: s.size[1], deviceScaleFactor: 1, mobile: false });
  if (s.media !== undefined)
    await send("Emulation.setEmulatedMedia",
      { media: s.media, features: [{ name: "prefers-color-scheme", value: s.dark ? "dark" : "light" }] });
  if (s.press) {
    const key = { key: s.press, code: s.press, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[s.press] ?? 0 };
    await send("Input.dispatchKeyEvent", { type: "keyDown", ...key, text: s.press === "Enter" ? "\r" : undefined });
    await send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }
  if (s.eval) values.push(await evaluate(s.eval));
  if (s.screenshot) {
    const { cssContentSize } = await send("Page.getLayoutMetrics");
    const clip = { x: 0, y: 0, width: cssContentSize.width, height: Math.min(cssContentSize.height, s.most ?? 3000), scale: 1 };
    const shot = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
    writeFileSync(s.screenshot, Buffer.from(shot.data, "base64"));
  }
  if (s.pdf) {
    const made = await send("Page.printToPDF", { printBackground: false, preferCSSPageSize: true });
    writeFileSync(s.pdf, Buffer.from(made.data, "base64"));
  }
}

async function run() {
  const steps = JSON.parse(readFileSync(0, "utf8"));
  const { targetInfos } = await send("Target.getTargets");
  const target = targetInfos.find((t) => t.type === "page");
  ({ sessionId: session } = await send("Target.attachToTarget", { targetId: target.targetId, flatten: true }));
  for (const domain of ["Page", "Runtime", "Log"]) await send(domain + ".enable");
  const values = [];
  for (const s of steps) await step(s, values);
  console.log(JSON.stringify({ values, console: messages }));
}

// Chromium's other processes may write there for a moment after it.
async function removeProfile() {
  for (let trial = 0; ; trial++) {
    try {
      return rmSync(profile, { recursive: true, force: true });
    } catch (error) {
      if (trial === 200) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

const limit = setTimeout(() => { console.error("no answer within 60 s"); chromium.kill("SIGKILL"); process.exitCode = 1; }, 60000);
try {
  await run();
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  clearTimeout(limit);
  const gone = new Promise((done) => chromium.once("exit", done));
  chromium.kill("SIGKILL");
  await gone;
  await removeProfile();
}
