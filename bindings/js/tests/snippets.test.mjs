// The code of the book and of the README, block by block, in a page that the test owns. `cargo ci` writes each block into a file of
// the folder snippets, whose first line says where it is from.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { FixedTimestep, InputBuffer, Smoothed, loop } from "evenstep";
import { Poses2 } from "evenstep/poses";
import { Page } from "./page.mjs";

const FOLDER = new URL("snippets/", import.meta.url);

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
    ship: new Smoothed({ x: 0, y: 0, heading: 0 }),
    loop,
    FixedTimestep,
    InputBuffer,
    Smoothed,
  };
  return { names, calls, timers };
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".js"))) {
  const text = readFileSync(new URL(file, FOLDER), "utf8");
  const [first, ...lines] = text.split("\n");
  const place = first.slice(3);
  test(place, async () => {
    const page = new Page();
    page.refresh(0);
    document.createElement = () => ({ click() {} });
    Object.defineProperty(globalThis, "performance", { configurable: true, value: { now: () => page.now } });
    const { names, calls, timers } = surroundings(page);
    // The block is in a scope of its own: it may declare names that it finds around it.
    const isImport = (line) => line.startsWith("import ");
    const body = lines.map((line) => (isImport(line) ? "" : line)).join("\n");
    const imported = lines.filter(isImport).flatMap((line) => /\{(.*)\}/.exec(line)[1].split(",").map((name) => name.trim()));
    const given = Object.keys(names).filter((name) => !imported.includes(name));
    const module = `${lines.filter(isImport).join("\n")}\nexport async function run({ ${given.join(", ")} }) {{${body}}}\n`;
    const made = new URL(`run-${file.replace(".js", ".mjs")}`, FOLDER);
    writeFileSync(made, module);
    const { run } = await import(made.href).catch((error) => assert.fail(`${place}: ${error.message}`));
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

test("there is code to run", () => {
  assert.ok(readdirSync(FOLDER).length > 10);
});
