// The package in Node.js, as whoever installs it has it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { DisplayClock, FixedTimestep, InputBuffer, version } from "evenstep";
import { EventQueue } from "evenstep/events";
import { Poses2, Poses3 } from "evenstep/poses";
import { FrameStats } from "evenstep/stats";
import { conform } from "./conformance.mjs";
import { sizes } from "./sizes.mjs";

const script = readFileSync(new URL("../../../stored/conformance.txt", import.meta.url), "utf8");
const answers = script.match(/^=/gm).length;

test("every result of the conformance script is equal to the last digit", () => {
  assert.ok(answers > 250);
  assert.equal(conform(script), answers);
});

test("a worker has the same results", async () => {
  const worker = new Worker(new URL("worker.mjs", import.meta.url));
  worker.postMessage(script);
  assert.equal(await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject)), answers);
  await worker.terminate();
});

// It may weigh a hundredth more than is stored: versions of zlib differ.
const stored = readFileSync(new URL("../../../stored/npm-sizes.txt", import.meta.url), "utf8").trim().split("\n");

for (const [name, limit] of stored.map((line) => line.split(" "))) {
  test(`${name} weighs what is stored, gzipped, with all that it loads: ${limit} bytes`, (context) => {
    const { files, bytes } = sizes.get(name);
    context.diagnostic(`${bytes} bytes gzipped in ${files} files`);
    assert.ok(bytes <= limit * 1.01, `${bytes} bytes; to accept them: cargo xtask bless --only sizes`);
  });
}

test("the version is that of the package", () => {
  assert.equal(version, createRequire(import.meta.url)("evenstep/package.json").version);
});

test("every size is stored", () => assert.equal(stored.length, sizes.size));

test("require and a classic script get the same names as import", async () => {
  // The module also exports what the other entries need of it, by one letter.
  const names = Object.keys(await import("evenstep")).filter((name) => name.length > 1).sort();
  assert.deepEqual(Object.keys(createRequire(import.meta.url)("evenstep/cjs")).sort(), names);
  const classic = readFileSync(new URL("evenstep.global.js", import.meta.resolve("evenstep")), "utf8");
  assert.deepEqual(Object.keys(runInNewContext(`${classic};evenstep`)).sort(), names);
});

test("milliseconds are exact to the nanosecond, and nothing adds up", () => {
  const timestep = new FixedTimestep(60);
  const start = 1_792_000_000_000; // of Date.now()
  timestep.beginFrame(start);
  let steps = 0;
  for (let frame = 1; frame <= 14_400; frame++) {
    for (const step of timestep.beginFrame(start + (frame * 1000) / 144)) {
      assert.equal(step.tick, steps++);
      assert.equal(step.dt, 1 / 60);
    }
  }
  assert.equal(steps, 6000);
  assert.equal(timestep.drawnTime.toSeconds(), 99.98333333333333);
});

test("loops over a frame can be nested, left, repeated and spread", () => {
  const timestep = new FixedTimestep(10);
  timestep.beginFrame(0);
  const frame = timestep.beginFrame(245);
  assert.deepEqual([...frame], [{ tick: 0, dt: 0.1 }, { tick: 1, dt: 0.1 }]);
  const pairs = [];
  for (const one of frame) for (const other of frame) pairs.push([one.tick, other.tick]);
  assert.deepEqual(pairs, [[0, 0], [0, 1], [1, 0], [1, 1]]);
  for (const _ of frame) break;
  assert.deepEqual(Array.from(frame, (step) => step.tick), [0, 1]);
  assert.equal(timestep.giveBack(frame.tick - 1).steps, 1);
  assert.equal(frame.lost.dropped, 1);
});

test("policies that keep time lose nothing of a frame within their backlog", () => {
  for (const overrun of [{ carry: 1000 }, { stretch: 2 }]) {
    const timestep = new FixedTimestep(60, { overrun });
    const twin = new FixedTimestep(60);
    twin.setOverrun(overrun);
    for (const one of [timestep, twin]) {
      one.beginFrame(0);
      const frame = one.beginFrame(400);
      assert.deepEqual([frame.steps, frame.isBehind, frame.lost.clamped, frame.lost.dropped], [15, true, 0n, 0]);
      let steps = frame.steps;
      for (let now = 410; now <= 1000; now += 10) steps += one.beginFrame(now).steps;
      assert.equal(steps, 60);
      one.setMaxDelta(250);
      assert.equal(one.beginFrame(1400).lost.clamped, 150_000_000n);
    }
  }
});

test("a single step runs in the next frame of every pause", () => {
  const pauses = [
    (timestep) => timestep.pause(),
    (timestep) => timestep.setTimeScale(0),
  ];
  for (const pause of pauses) {
    const timestep = new FixedTimestep(100);
    timestep.beginFrame(0);
    timestep.beginFrame(5);
    pause(timestep);
    for (let now = 16; now < 200; now += 32) {
      timestep.stepOnce();
      assert.equal(timestep.untilNextStep, 0);
      assert.equal(timestep.beginFrame(now).steps, 1);
      assert.equal(timestep.beginFrame(now + 16).steps, 0);
    }
  }
});

test("a step that was begun and given back comes again with its input", () => {
  const timestep = new FixedTimestep(100, { overrun: { carry: 1 } });
  const input = new InputBuffer();
  const begin = (now) => {
    const frame = timestep.beginFrame(now);
    input.beginFrame(timestep);
    return frame;
  };
  begin(0);
  begin(15);
  input.press("KeyA");
  input.motion(6, 0);
  const frame = begin(35);
  const [first] = frame;
  input.beginStep(first);
  const moved = input.movedX;
  assert.deepEqual([input.presses("KeyA"), input.isDown("KeyA")], [1, true]);
  timestep.giveBack(frame.tick - first.tick);
  input.press("KeyB");
  const presses = [];
  let total = 0;
  for (const step of begin(46)) {
    input.beginStep(step);
    presses.push(input.presses("KeyA") + input.presses("KeyB"));
    total += input.movedX;
    assert.equal([...input.events()].length > 0, step.tick === first.tick || input.movedX > 0);
  }
  assert.deepEqual([presses[0], presses.slice(1).some((count) => count > 0)], [2, false]);
  assert.ok(moved > 0 && Math.abs(total - 6) < 1e-9, `${moved} and ${total}`);
});

test("a tap in a frame whose time was dropped reaches the next step", () => {
  const timestep = new FixedTimestep(100);
  const input = new InputBuffer();
  let presses = 0;
  for (const [now, unrun] of [[0, 0], [10, 1], [20, 0]]) {
    if (now === 10) {
      input.pressAt(3, "KeyA");
      input.releaseAt(4, "KeyA");
    }
    timestep.beginFrame(now);
    const frame = timestep.giveBack(unrun);
    input.beginFrame(timestep);
    for (const step of frame) {
      input.beginStep(step);
      presses += input.presses("KeyA");
    }
  }
  assert.deepEqual([presses, input.counts.paused], [1, 0]);
});

test("the lost time of a frame is exact", () => {
  const timestep = new FixedTimestep(60, { maxDelta: 100 });
  timestep.beginFrame(0n);
  assert.equal(timestep.beginFrame(1_000_000_007n).lost.clamped, 900_000_007n);
  timestep.pause();
  assert.ok(timestep.isPaused);
  assert.equal(timestep.beginFrame(1_000_000_107n).lost.paused, 100n);
});

test("rates and speeds are what their digits say", () => {
  const timestep = new FixedTimestep(59.94, { timeScale: 0.1 });
  timestep.beginFrame(0);
  assert.equal(timestep.advance(100).steps, 0);
  assert.equal(String(timestep.overstep), "0 + 1/100");
  assert.equal(new FixedTimestep(0.5).beginFrame(0).dt, 2);
  assert.equal(timestep.untilNextStep, 66.83351);
});

test("the default filter stays within its bounds and conserves time", () => {
  const filter = new DisplayClock();
  let [seed, given, total, last] = [1, 0, 0, 0];
  const met = [0, 0];
  for (let frame = 1; frame < 3000; frame++) {
    seed = (seed * 48271) % 2147483647;
    const now = Math.round((frame * 1e9) / (frame < 1500 ? 144 : 50)) + (seed % 3_000_000) + (frame % 700 === 0 ? 3e8 : 0);
    const delta = Math.max(now - last, 0);
    last += delta;
    total += delta;
    given += filter.apply(delta);
    assert.equal(filter.residual, total - given);
    assert.ok(-filter.maxLead <= filter.residual && filter.residual <= 3_000_000, `${filter.residual}`);
    for (const [at, bound] of [-4_000_000, 3_000_000].entries()) met[at] += filter.residual === bound;
  }
  assert.ok(met.every((frames) => frames > 10), `${met}`);
});

test("bodies are drawn between their last two states, teleport and shift", () => {
  const poses = new Poses2();
  for (let row = 0; row < 100; row++) assert.equal(poses.add(row, 0), row);
  poses.teleport(1);
  for (let row = 0; row < 100; row++) poses.set(row, row, 10, 0);
  poses.commit();
  const drawn = poses.draw(0.25);
  assert.deepEqual([...drawn.subarray(0, 8)], [0, 2.5, 1, 0, 1, 10, 1, 0]);
  assert.equal(drawn.length, 400);
  poses.shift(0, 1, -10);
  assert.deepEqual([...poses.draw(0.25).subarray(0, 2)], [1, -7.5]);
  poses.remove(0);
  assert.deepEqual([...poses.draw(1).subarray(0, 2), poses.length], [99, 10, 99]);
  poses.set(0, 99, 20, 0);
  poses.commit();
  assert.deepEqual([...poses.draw(0.5, new Float32Array(396)).subarray(0, 2)], [99, 15]);
});

test("bodies in space are drawn as matrices too, and states are read from the caller's array", () => {
  const poses = new Poses3();
  poses.add(0, 0, 0);
  poses.commit([2, 4, 6, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  const matrices = poses.drawMatrices(1, new Float32Array(16).fill(9));
  assert.deepEqual([...matrices].map((number) => Math.round(number)), [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 2, 4, 6, 1]);
});

test("rows that are added between a write and its commit lose nothing, and the same array is drawn until then", () => {
  const poses = new Poses2();
  poses.add(1, 2);
  const drawn = poses.draw(1);
  assert.equal(poses.draw(0.5), drawn);
  poses.set(0, 5, 2, 0);
  for (let row = 1; row < 1000; row++) poses.add(row, 0);
  poses.commit();
  assert.deepEqual([...poses.draw(1).subarray(0, 4)], [5, 2, 1, 0]);
  assert.deepEqual([poses.draw(1).length, drawn.length], [4000, 4]);
});

test("rows are drawn from new memory after one was added and removed", () => {
  const poses = new Poses2();
  for (let row = 0; row < 8; row++) poses.add(row, 0);
  poses.draw(1);
  poses.remove(poses.add(8, 0));
  poses.set(0, 5, 2, 0);
  poses.commit();
  assert.deepEqual([...poses.draw(1).subarray(0, 2)], [5, 2]);
});

test("each event reaches exactly one step, by the name of its key", () => {
  const timestep = new FixedTimestep(10, { maxDelta: 1000 });
  const input = new InputBuffer();
  timestep.beginFrame(1000);
  input.beginFrame(timestep);
  input.pressAt(1120, "Space");
  input.releaseAt(1130, "Space");
  input.pressAt(1150, "KeyW");
  input.motionAt(1210, 3, -1);
  input.wheelAt(1220, 0, 2);
  const frame = timestep.beginFrame(1300);
  input.beginFrame(timestep);
  const seen = [];
  for (const step of frame) {
    input.beginStep(step);
    const names = [...input.events()].map((event) => event.kind);
    const downs = [input.isHeldAtEnd("Space"), input.isDown("Space"), input.isDown("KeyW")].map(Number);
    seen.push([input.presses("Space"), input.isHeldAtEnd("KeyW"), input.wasReleased("Space"), input.movedX, input.turnedY, downs, names]);
  }
  assert.deepEqual(seen, [
    [0, false, false, 0, 0, [0, 0, 0], []],
    [1, true, true, 0, 0, [0, 1, 1], ["press", "release", "press"]],
    [0, true, false, 3, 2, [0, 0, 1], ["motion", "wheel"]],
  ]);
  input.releaseAllAt(1305);
  timestep.beginFrame(1400);
  input.beginFrame(timestep);
  input.beginStep(3);
  assert.equal(input.isHeldAtEnd("KeyW"), false);
  assert.deepEqual(input.counts, { waiting: 0, late: 0, reordered: 0, refused: 0, paused: 0, foreign: 0 });
});

test("events are delivered when they are shown, and can be retracted", () => {
  const timestep = new FixedTimestep(10);
  const sounds = new EventQueue(timestep, { capacity: 2 });
  timestep.beginFrame(0);
  for (const step of timestep.beginFrame(250)) sounds.emit(step, { sound: `step ${step.tick}` });
  assert.deepEqual([...sounds.seen()], [{ tick: 0, event: { sound: "step 0" } }]);
  sounds.retractFrom(1);
  assert.ok(sounds.emit(1, { sound: "again" }));
  assert.ok(sounds.emit(1, { sound: "and again" }));
  assert.equal(sounds.emit(1, { sound: "once more" }), false);
  timestep.beginFrame(350);
  assert.deepEqual([...sounds.seen()].map(({ event }) => event.sound), ["and again", "once more"]);
  assert.deepEqual([sounds.waiting, sounds.dropped], [0, 1]);
});

test("statistics count steps, frame times and the animation error", () => {
  const timestep = new FixedTimestep(60);
  const stats = new FrameStats();
  for (let frame = 0; frame <= 100; frame++) {
    timestep.beginFrame((frame * 1000) / 60);
    stats.record(timestep);
  }
  const report = stats.report();
  assert.equal(report.frames, 101);
  assert.equal(report.stepsPerFrame.reduce((sum, count) => sum + count), 101);
  assert.ok(Math.abs(report.frameTime.median - 16.667) < 0.001);
  assert.ok(report.animationError < 0.001);
});

test("statistics are of the last 240 frames, and the last bin is of seven steps or more", () => {
  const timestep = new FixedTimestep(100);
  const stats = new FrameStats();
  let now = 0;
  const record = (delta) => {
    timestep.beginFrame((now += delta));
    stats.record(timestep);
  };
  for (const steps of [0, 5, 6, 7, 8, 9]) record(10 * steps);
  assert.deepEqual(stats.report().stepsPerFrame, [1, 0, 0, 0, 0, 1, 1, 3]);
  for (let frame = 0; frame < 239; frame++) record(10);
  assert.deepEqual(stats.report().stepsPerFrame, [0, 239, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual([stats.frameTime(100), stats.report().frames], [90, 245]);
  record(10);
  assert.deepEqual(stats.report().stepsPerFrame, [0, 240, 0, 0, 0, 0, 0, 0]);
  assert.equal(stats.report().frameTime.longest, 10);
});

test("a file that is used without the package says its licence, its version and where it is from", () => {
  const { resolve } = createRequire(import.meta.url);
  for (const name of ["evenstep.global.js", "fixed-raf.js", "fixed-raf.user.js", "game.html"]) {
    const text = readFileSync(resolve("evenstep/package.json").replace("package.json", `dist/${name}`), "utf8");
    assert.match(text, new RegExp(`SPDX-License-Identifier: MIT OR Apache-2\\.0\n \\* evenstep ${version}, https://`), name);
  }
});
