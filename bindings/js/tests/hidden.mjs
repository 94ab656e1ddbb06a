// A game goes on while its page is hidden, with `whenHidden: "run"`: node --experimental-websocket hidden.mjs PROJECT, called by cargo ci. In
// PROJECT the npm package is installed. Playwright keeps every page as if it were in front, so this speaks to Chromium by itself.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { launchOptions } from "./browser.mjs";

const SECONDS = 60;

const script = readFileSync(`${resolve(process.argv[2])}/node_modules/evenstep/dist/evenstep.global.js`, "utf8");
const profile = mkdtempSync(join(tmpdir(), "evenstep-hidden-"));
const options = ["--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, ...launchOptions.args, "about:blank"];
const chromium = spawn(launchOptions.executablePath, options);
const ended = new Promise((end) => chromium.once("exit", end));
try {
  let printed = "";
  const address = await new Promise((found, fail) => {
    chromium.once("exit", () => fail(new Error(`Chromium has ended: ${printed}`)));
    chromium.stderr.on("data", (text) => {
      printed += text;
      const [line] = printed.match(/ws:\/\/\S+(?=\s)/) ?? [];
      if (line) found(line);
    });
  });
  const socket = new WebSocket(address);
  await new Promise((open) => socket.addEventListener("open", open));
  const answers = new Map();
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    answers.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
  });
  let last = 0;
  const send = (method, params = {}, sessionId) =>
    new Promise((answered) => {
      answers.set(++last, answered);
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
  const { targetInfos } = await send("Target.getTargets");
  const { targetId: page } = targetInfos.find(({ type }) => type === "page");
  const { sessionId } = await send("Target.attachToTarget", { targetId: page, flatten: true });
  const run = async (program, ...values) => {
    const expression = `(${program})(${values.map((value) => JSON.stringify(value)).join()})`;
    const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true }, sessionId);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const until = async (is) => {
    while (!(await is())) await wait(50);
  };
  const show = async (targetId, state) => {
    await send("Target.activateTarget", { targetId });
    await until(async () => (await run(() => document.visibilityState)) === state);
  };

  await run((script) => (0, eval)(`${script};globalThis.evenstep = evenstep`), script);
  await run(() => {
    const seen = (globalThis.seen = { steps: 0, presses: 0, draws: 0, frames: 0, at: 0 });
    const game = evenstep.loop({
      step(_, input) {
        seen.steps++;
        seen.presses += input.presses("Space");
      },
      draw: () => seen.draws++,
      whenHidden: "run",
    });
    const begin = game.timestep.beginFrame.bind(game.timestep);
    game.timestep.beginFrame = (now) => begin((seen.at = now));
    // A busy machine may stop the page for longer than the default limit; no step is given up for that here.
    game.timestep.setMaxDelta(60_000);
    const count = () => {
      seen.frames++;
      requestAnimationFrame(count);
    };
    count();
    game.start();
  });
  const look = () => run(() => ({ ...seen, now: performance.now(), state: document.visibilityState }));
  await until(async () => (await look()).draws > 10);
  const { targetId: other } = await send("Target.createTarget", { url: "about:blank" });
  await show(other, "hidden");
  await run(() => dispatchEvent(new KeyboardEvent("keydown", { code: "Space" })));
  const before = await look();
  let after = before;
  await until(async () => (after = await look()).now >= before.now + SECONDS * 1000);
  assert.equal(after.state, "hidden");
  assert.equal(after.frames, before.frames, "requestAnimationFrame stood still");
  assert.equal(after.draws, before.draws, "nothing was drawn");
  // By the times of the last frames: a busy machine may be late when it runs their steps, and when this program looks.
  const due = (from, to) => ((to.at - from.at) * 60) / 1000;
  console.log(`${after.steps - before.steps} steps of ${due(before, after).toFixed(1)} in ${SECONDS} s, hidden`);
  assert.ok(Math.abs(after.steps - before.steps - due(before, after)) <= 2);
  await show(page, "visible");
  const back = await look();
  let end = back;
  await until(async () => (end = await look()).draws > back.draws + 5);
  const burst = end.steps - after.steps - due(after, end);
  assert.ok(Math.abs(burst) <= 2, `${burst} steps more than were due after the return`);
  assert.equal(end.presses, 1);
  console.log("no burst after the return, and the key that was pressed meanwhile was pressed in one step");
} finally {
  chromium.kill();
  await ended;
  rmSync(profile, { recursive: true, force: true });
}
