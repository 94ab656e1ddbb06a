// The code of the book and of the README, block by block, in a page that the test owns.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FixedTimestep, InputBuffer, Smoothed, loop } from "evenstep";
import { Poses2 } from "evenstep/poses";
import { Page } from "./page.mjs";

const ROOT = new URL("../../../", import.meta.url);
const PAGES = [
  "crates/evenstep/which-call.md",
  "docs/pages/input.md",
  "docs/pages/javascript.md",
  "docs/pages/javascript-engines.md",
  "docs/pages/follow-a-song.md",
  "bindings/js/README.md",
];

/** The blocks of JavaScript of a page, except those that another test runs, each with its place. */
function blocks(page) {
  let line = 1;
  const found = [];
  for (const [index, part] of readFileSync(new URL(page, ROOT), "utf8").split("\n```").entries()) {
    const [info, ...lines] = part.split("\n");
    if (index % 2 === 1 && /^js(?!.*\belsewhere\b)(\s|$)/.test(info)) found.push({ place: `${page}:${line + 1}`, lines });
    line += lines.length + 1;
  }
  assert.ok(found.length > 0, `${page} has no code that is run`);
  return found;
}

/** What blocks name and do not declare: a canvas, an engine of three bodies, and the game's own functions, which count their calls. */
function surroundings(page) {
  const calls = new Map();
  const counted = (name, act = () => {}) => (...values) => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    return act(...values);
  };
  const bodies = [0, 1, 2].map((x) => ({ x, y: 0, angle: 0, getPosition: () => ({ x, y: 0 }), getAngle: () => 0 }));
  const move = (seconds) => bodies.forEach((body) => (body.x += seconds));
  const timestep = new FixedTimestep(60);
  timestep.beginFrame(0);
  const poses = new Poses2();
  for (const body of bodies) poses.add(body.x, body.y, body.angle);
  const timers = [];
  const names = {
    navigator: { getGamepads: () => [{ axes: [0.5] }] },
    setTimeout: (run) => timers.push(run),
    canvas: new EventTarget(),
    timestep,
    poses,
    bodies,
    now: 50,
    frame: new FixedTimestep(60).beginFrame(0),
    input: new InputBuffer(),
    context: { clearRect() {}, fillRect: counted("draw") },
    engine: { step: counted("step", move) },
    world: { step: counted("step", move) },
    draw: counted("draw"),
    step: counted("step"),
    simulate: counted("step"),
    jump: counted("jump"),
    judge: counted("jump"),
    audio: { currentTime: 0 },
    walk: counted("step"),
    leaves: (state) => state.x > 5,
    speed: 200,
    turn: 1,
    deadline: Infinity,
    addEventListener: page.addEventListener.bind(page),
    worker: { postMessage: counted("post") },
    onmessage: undefined, // a worker's
    ship: new Smoothed({ x: 0, y: 0, heading: 0 }),
    loop,
    FixedTimestep,
    InputBuffer,
    Smoothed,
  };
  return { names, calls, timers };
}

for (const { place, lines } of PAGES.flatMap(blocks)) {
  test(place, async () => {
    const page = new Page();
    page.refresh(0);
    document.createElement = () => ({ click() {} });
    Object.defineProperty(globalThis, "performance", { configurable: true, value: { now: () => page.now, timeOrigin: 1.7e12 } });
    const { names, calls, timers } = surroundings(page);
    // The block is in a scope of its own: it may declare names that it finds around it.
    const isImport = (line) => line.startsWith("import ");
    const body = lines.map((line) => (isImport(line) ? "" : line)).join("\n");
    const imported = lines.filter(isImport).flatMap((line) => /\{(.*)\}/.exec(line)[1].split(",").map((name) => name.trim()));
    const given = Object.keys(names).filter((name) => !imported.includes(name));
    // A module that is no file finds the package by its whole address.
    const imports = lines.filter(isImport).map((line) => line.replace(/"(evenstep[^"]*)"/, (_, name) => JSON.stringify(import.meta.resolve(name))));
    const module = `${imports.join("\n")}\nexport async function run({ ${given.join(", ")} }) {{${body}\n}}\n`;
    const { run } = await import(`data:text/javascript,${encodeURIComponent(module)}`).catch((error) => assert.fail(`${place}: ${error.message}`));
    await run(names);
    // Half a second of frames, in which keys are pressed, for what waits for frames.
    page.happen("keydown", { code: "Space" });
    page.happen("keydown", { code: "KeyD" });
    page.play(60, 0.5);
    page.hide(true);
    page.hide(false);
    page.happen("keyup", { code: "Space" });
    page.happen("blur");
    page.play(60, 0.5);
    for (const run of timers.splice(0)) run();
    for (const name of ["draw", "step"]) {
      const isCalled = new RegExp(`(^|[^.\\w])${name === "step" ? "(engine\\.step|world\\.step|simulate)" : "(draw|context\\.fillRect)"}\\(`).test(body);
      const isDeclared = /\bframe\b/.test(body) && !/const frame/.test(body);
      if (isCalled && !isDeclared) assert.ok(calls.get(name) > 0, `${place}: no ${name}`);
    }
  });
}
