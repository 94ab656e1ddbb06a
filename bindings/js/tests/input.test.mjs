// Events without a time, and with a time that is older than the last frame, by clocks that begin at any time; and a machine that is too slow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DisplayClock, FixedTimestep, InputBuffer, loop } from "evenstep";
import { Page } from "./page.mjs";

/** Milliseconds at which the first frame may be: of `performance.now()`, and since 1970. */
const BEGINS = [0, 0.001, 3, 7000, 40 * 86_400_000, 1_790_000_000_000];

/** A tap in every tenth of a hundred frames, three of which are in a pause: how many taps steps see, and the buffer's counts. */
function play(begin, tap, { filter, restarts } = {}) {
  let timestep = new FixedTimestep(60, filter ? { filter: new DisplayClock() } : {});
  const input = new InputBuffer();
  let [seen, moved] = [0, 0];
  input.press("Loading");
  for (let frame = 0; frame <= 100; frame++) {
    const now = begin + frame * 17;
    if (frame === 40) timestep.pause();
    if (frame === 69) timestep.resume();
    if (frame === 80) timestep.reset();
    if (frame === restarts) timestep = new FixedTimestep(60);
    if (frame > 0 && frame % 10 === 5) tap(input, now);
    const plan = timestep.beginFrame(now);
    input.beginFrame(timestep);
    for (const step of plan) {
      input.beginStep(step);
      seen += input.presses("Space");
      moved += input.movedX;
      assert.ok(!input.isHeldAtEnd("Space") && input.isHeldAtEnd("Loading") && input.presses("Loading") === 0);
    }
  }
  return { seen, moved: Math.round(moved * 1e6) / 1e6, counts: input.counts };
}

test("an event without a time acts in the next step by any clock, and is state before the first frame and in a pause", () => {
  const tap = (input) => (input.press("Space"), input.release("Space"), input.motion(3, 0), input.wheel(0, 1));
  for (const begin of BEGINS) {
    for (const filter of [false, true]) {
      const { seen, moved, counts } = play(begin, tap, { filter });
      assert.deepEqual([seen, moved, counts.late, counts.foreign], [7, 21, 0, 0], `${begin}, ${filter}`);
    }
    // Another timestep has another clock: its first frame is none of the game's.
    assert.equal(play(begin, tap, { restarts: 25 }).seen, 6, `${begin}`);
  }
});

test("an event older than the last frame acts in the next step by any clock, and one of another clock is counted", () => {
  for (const begin of BEGINS) {
    for (const filter of [false, true]) {
      const { seen, counts } = play(begin, (input) => (input.pressAt(0, "Space"), input.releaseAt(0, "Space")), { filter });
      assert.deepEqual([seen, counts.paused], [10, 1], `${begin}`); // the key of the loading screen alone is of a pause
      if (begin > 2000) assert.equal(counts.foreign, 20, `${begin}`);
    }
  }
});

test("motion without a time is the same in each step of a frame, and a notch of the wheel is one", () => {
  const timestep = new FixedTimestep(60);
  const input = new InputBuffer();
  for (let frame = 0; frame < 30; frame++) {
    input.motion(6, -3);
    input.wheel(0, 1);
    const plan = timestep.beginFrame(5000 + frame * 50);
    input.beginFrame(timestep);
    const seen = [...plan].map((step) => (input.beginStep(step), [input.movedX, input.movedY, input.turnedY]));
    if (frame > 0) assert.deepEqual(seen, [[2, -1, 1], [2, -1, 0], [2, -1, 0]]);
  }
});

test("a call without a time refuses one, and names the call that takes it", () => {
  const input = new InputBuffer();
  for (const call of [() => input.press("Space", 5), () => input.release("Space", 5), () => input.releaseAll(5), () => input.motion(1, 2, 5), () => input.wheel(1, 2, 5)]) {
    assert.throws(call, /: no time; \w+At\(at, …\) takes one/);
  }
  assert.equal(input.counts.waiting, 0);
});

test("the keys of a page act in the step of their time, whenever the page was opened", () => {
  for (const begin of BEGINS) {
    const page = new Page();
    let presses = 0;
    const game = loop({ step: (_, input) => (presses += input.presses("Space")), draw: () => {} });
    game.start();
    page.now = begin;
    page.refresh(begin);
    page.play(60, 0.5);
    for (let tap = 0; tap < 10; tap++) {
      page.now += 3;
      page.happen("keydown", { code: "Space" });
      page.now += 2;
      page.happen("keyup", { code: "Space" });
      page.play(60, 0.1);
    }
    page.play(60, 0.2);
    const { late, foreign } = game.input.counts;
    assert.deepEqual([presses, late, foreign], [10, 0, 0], `${begin}`);
    game.stop();
  }
});

/** A machine on which a step takes this part of what it simulates, and drawing some milliseconds: frames a second, and speed. */
function slow(cost, drawing, set = () => {}) {
  const page = new Page();
  let [now, steps, frames] = [7000, 0, 0];
  const game = loop({ step: () => (steps++, (now += (cost * 1000) / 60)), draw: () => (frames++, (now += drawing)) });
  set(game.timestep);
  game.start();
  while (now < 37_000) page.refresh((now = Math.ceil((now * 144) / 1000 - 1e-6) / 0.144));
  game.stop();
  return { frames: frames / 30, speed: steps / 60 / 30 };
}

test("a loop goes on drawing where steps take longer than they simulate, and keeps its speed where drawing alone is slow", () => {
  for (const [cost, frames, speed] of [[1, 9.6, 0.96], [1.05, 9, 0.9], [1.2, 8, 0.8], [2, 4.8, 0.48]]) {
    const seen = slow(cost, 4);
    assert.ok(Math.abs(seen.frames - frames) < 0.7 && Math.abs(seen.speed - speed) < 0.03, `${cost}: ${JSON.stringify(seen)}`);
    // What is set counts.
    const patient = slow(cost, 4, (timestep) => timestep.setMaxDelta(250));
    assert.ok(patient.frames < seen.frames && patient.speed >= seen.speed, `${cost}: ${JSON.stringify(patient)}`);
  }
  assert.ok(slow(0.05, 50).speed > 0.99 && slow(0.05, 100).speed > 0.89);
  // A timestep of one's own, which may be a replay's or a server's, has the steps of 250 ms.
  const own = new FixedTimestep(60);
  own.beginFrame(7000);
  assert.equal([...own.beginFrame(8000)].length, 15);
  // What keeps time has no limit.
  assert.ok(slow(0.05, 200, (timestep) => timestep.setOverrun({ carry: 1000 })).speed > 0.98);
});
