// Chromium and, where $FIREFOX names it, Firefox, each with keys and fingers from its own protocol, for tests in which pages do not know that
// they are tested. Firefox needs a WebSocket: node --experimental-websocket.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { launch } from "./browser.mjs";

/** Its driver stops answering after a minute or two of work, so it runs where somebody asks for it: FIREFOX=/usr/bin/firefox-esr. */
const FIREFOX = process.env.FIREFOX ?? "";

/** Serves pages by their paths, which may be functions of the path. Returns the origin, and how to stop. */
export async function serve(pageOf) {
  const server = createServer(({ url }, response) => {
    const page = pageOf(url);
    if (page === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": url.endsWith(".js") ? "text/javascript" : "text/html" }).end(page);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A phone in Chromium. */
async function chromium() {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 400, height: 700 }, isMobile: true, hasTouch: true });
  return {
    async open(address) {
      const page = await context.newPage();
      page.on("filechooser", () => {});
      await page.goto(address);
      const session = await context.newCDPSession(page);
      const points = new Map();
      const send = (type, touchPoints = [...points.values()]) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
      return {
        ask: (expression) => page.evaluate(expression),
        press: (key) => page.keyboard.press(key),
        keyDown: (key) => page.keyboard.down(key),
        keyUp: (key) => page.keyboard.up(key),
        mouse: (x, y) => page.mouse.move(x, y),
        mouseDown: () => page.mouse.down(),
        mouseUp: () => page.mouse.up(),
        wheel: (y) => page.mouse.wheel(0, y),
        down: (x, y, id = 1) => (points.set(id, { x, y, id }), send("touchStart")),
        move: (x, y, id = 1) => (points.set(id, { x, y, id }), send("touchMove")),
        up: (id = 1) => {
          const lifted = points.get(id);
          points.delete(id);
          return send("touchEnd", points.size > 0 ? [lifted] : []);
        },
      };
    },
    end: () => browser.close(),
  };
}

/** The keys of WebDriver that are no characters. */
const KEYS = { ArrowDown: "\uE015", ArrowRight: "\uE014", ArrowUp: "\uE013", Enter: "\uE006", PageDown: "\uE00F", End: "\uE010", Escape: "\uE00C", Space: " ", KeyD: "d", KeyW: "w" };

/** Firefox, by WebDriver BiDi. */
async function firefox() {
  const profile = mkdtempSync(join(tmpdir(), "evenstep-firefox-"));
  // A key's scrolling would go on for some tenths of a second.
  writeFileSync(join(profile, "user.js"), 'user_pref("general.smoothScroll", false);\n');
  const program = spawn(FIREFOX, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((end) => program.once("exit", end));
  let printed = "";
  const address = await new Promise((found, fail) => {
    program.once("exit", () => fail(new Error(`Firefox has ended: ${printed}`)));
    program.stderr.on("data", (text) => {
      printed += text;
      const [line] = printed.match(/ws:\/\/\S+(?=\s)/) ?? [];
      if (line) found(line);
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((open) => socket.addEventListener("open", open));
  const answers = new Map();
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error, message } = JSON.parse(data);
    answers.get(id)?.(error ? Promise.reject(new Error(message)) : result);
  });
  let last = 0;
  const send = (method, params = {}) =>
    new Promise((answered) => {
      answers.set(++last, answered);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await send("session.new", { capabilities: {} });
  const { contexts: [{ context }] } = await send("browsingContext.getTree");
  const act = (source, ...actions) => send("input.performActions", { context, actions: [{ ...source, actions }] });
  const finger = (id) => ({ type: "pointer", id: `finger ${id}`, parameters: { pointerType: "touch" } });
  const mouse = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" } };
  const keyboard = { type: "key", id: "keyboard" };
  const value = (key) => KEYS[key] ?? key;
  return {
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
      return {
        async ask(expression) {
          const { result, exceptionDetails } = await send("script.evaluate", { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: false });
          if (exceptionDetails) throw new Error(exceptionDetails.text);
          return result.value === undefined ? undefined : JSON.parse(result.value);
        },
        press: (key) => act(keyboard, { type: "keyDown", value: value(key) }, { type: "keyUp", value: value(key) }),
        keyDown: (key) => act(keyboard, { type: "keyDown", value: value(key) }),
        keyUp: (key) => act(keyboard, { type: "keyUp", value: value(key) }),
        mouse: (x, y) => act(mouse, { type: "pointerMove", x, y }),
        mouseDown: () => act(mouse, { type: "pointerDown", button: 0 }),
        mouseUp: () => act(mouse, { type: "pointerUp", button: 0 }),
        wheel: (y) => act({ type: "wheel", id: "wheel" }, { type: "scroll", x: 50, y: 50, deltaX: 0, deltaY: y }),
        down: (x, y, id = 1) => act(finger(id), { type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }),
        move: (x, y, id = 1) => act(finger(id), { type: "pointerMove", x, y, duration: 20 }),
        up: (id = 1) => act(finger(id), { type: "pointerUp", button: 0 }),
      };
    },
    async end() {
      program.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

const browsers = { Chromium: chromium, ...(existsSync(FIREFOX) && { Firefox: firefox }) };

/** Runs a test in each browser. */
export async function inBrowsers(run) {
  for (const [name, begin] of Object.entries(browsers)) {
    const browser = await begin();
    try {
      await run(name, browser);
    } finally {
      await browser.end();
    }
  }
}

/** Waits until an answer of a page is as wanted, and returns it. Not at once: questions take the time of the page's frames. */
export async function until(ask, expression, is) {
  for (;;) {
    const answer = await ask(expression);
    if (is(answer)) return answer;
    await wait(20);
  }
}
