// A finger that drags in the game on the book's page stays down until it is lifted, whatever the page can scroll: in Chromium and, where it
// is installed, in Firefox, with touches that each browser makes from its own protocol. node --experimental-websocket touch.mjs PROJECT, called
// by cargo ci. In PROJECT the npm package is installed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { launch } from "./browser.mjs";

const project = resolve(process.argv[2]);
const script = readFileSync(`${project}/node_modules/evenstep/dist/evenstep.global.js`, "utf8");
const FIREFOX = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

const LONG = "<p style='height: 3000px'>A page that scrolls.</p>";
const IMAGE = `<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='640' height='400'/%3E" width="300" height="300">`;
/** A page: what is in it, and the loop's target. */
const pages = {
  "/": ["<canvas width='640' height='400'></canvas>", "undefined"],
  "/long": [`<canvas width='640' height='400'></canvas>${LONG}`, "undefined"],
  "/target": [`<canvas width='640' height='400'></canvas>${LONG}`, "document.querySelector('canvas')"],
  "/picture": [`${IMAGE}${LONG}`, "undefined"],
  "/text": [`<p style="height: 300px">Text, which a long press selects.</p>${LONG}`, "undefined"],
};
const server = createServer(({ url }, response) => {
  if (!(url in pages)) return response.writeHead(404).end();
  const [body, target] = pages[url];
  response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><body style="margin: 0">${body}<script>${script}</script><script>
  const seen = { ran: 0, held: 0, presses: 0, cancels: 0 };
  addEventListener("pointercancel", () => seen.cancels++);
  const game = evenstep.loop({
    step(dt, input) { seen.ran++; seen.held += input.isHeldAtEnd("Pointer0"); seen.presses += input.presses("Pointer0"); },
    draw() {}, target: ${target} });
  game.start();
</script>`);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

/** A phone in Chromium: opens a page, and returns how to ask it and how to touch it. */
async function chromium() {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 400, height: 700 }, isMobile: true, hasTouch: true });
  return {
    async open(path) {
      const page = await context.newPage();
      await page.goto(origin + path);
      const session = await context.newCDPSession(page);
      const send = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
      return {
        ask: (expression) => page.evaluate(expression),
        down: (x, y) => send("touchStart", { x, y, id: 1 }),
        move: (x, y) => send("touchMove", { x, y, id: 1 }),
        up: () => send("touchEnd"),
      };
    },
    end: () => browser.close(),
  };
}

/** Firefox, by WebDriver BiDi. */
async function firefox() {
  const profile = mkdtempSync(join(tmpdir(), "evenstep-touch-"));
  const program = spawn(FIREFOX, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"]);
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
  const act = (...actions) =>
    send("input.performActions", { context, actions: [{ type: "pointer", id: "finger", parameters: { pointerType: "touch" }, actions }] });
  return {
    async open(path) {
      await send("browsingContext.navigate", { context, url: origin + path, wait: "complete" });
      const move = (x, y) => act({ type: "pointerMove", x, y, duration: 20 });
      return {
        async ask(expression) {
          const { result, exceptionDetails } = await send("script.evaluate", { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: false });
          if (exceptionDetails) throw new Error(exceptionDetails.text);
          return result.value === undefined ? undefined : JSON.parse(result.value);
        },
        down: (x, y) => act({ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }),
        move,
        up: () => act({ type: "pointerUp", button: 0 }),
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
try {
  for (const [name, begin] of Object.entries(browsers)) {
    const browser = await begin();
    try {
      for (const path of Object.keys(pages)) {
        const { ask, down, move, up } = await browser.open(path);
        const until = async (is) => {
          // Not at once: questions take the time of the page's frames.
          while (!is(await ask("seen"))) await wait(20);
          return ask("seen");
        };
        await until(({ ran }) => ran > 5);
        await down(100, 250);
        await until(({ presses }) => presses === 1);
        const before = await ask("seen");
        for (let part = 1; part <= 20; part++) await move(100 + 4 * part, 250 - 6 * part);
        // A long press, too.
        const after = await until(({ ran }) => ran > before.ran + 90);
        const [ran, held] = [after.ran - before.ran, after.held - before.held];
        console.log(`${name}, ${path}: a finger was down in ${ran} steps, and held in ${held}; ${after.cancels} times "pointercancel"`);
        assert.deepEqual([held, after.cancels, after.presses], [ran, 0, 1]);
        await up();
        await until(({ held, ran }) => held < ran - before.ran + before.held);
        assert.equal(await ask("scrollY"), 0);
        await ask("game.stop()");
        assert.equal(await ask("getComputedStyle(document.querySelector('canvas') ?? document.body).touchAction"), "auto");
      }
    } finally {
      await browser.end();
    }
  }
} finally {
  server.close();
}
