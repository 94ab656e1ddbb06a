// What a frame leaves to the garbage collector. In a process of its own: what other tests have run decides what the engine compiles how.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DisplayClock, FixedTimestep, InputBuffer } from "evenstep";
import { Poses2 } from "evenstep/poses";

function makesNoObjects(timestep, boxes) {
  const [poses, input] = [new Poses2(), new InputBuffer()];
  for (let row = 0; row < 10; row++) poses.add(row, 0);
  let sum = 0;
  const run = (from, to) => {
    for (let number = from; number < to; number++) {
      const frame = timestep.beginFrame((number * 1000) / 60);
      input.beginFrame(timestep);
      for (const step of frame) {
        input.beginStep(step);
        if (input.isHeldAtEnd("Space")) sum++;
        poses.set(0, step.tick, 0, 0);
        poses.commit();
      }
      sum += poses.draw(frame.alpha)[0];
    }
  };
  // The engine compiles these functions while they run, and makes objects of its own meanwhile: rounds continue until it
  // is through with it. Objects of a frame's own are there in every round.
  const rounds = [];
  for (let from = 0; rounds.length < 200 && !(rounds.at(-1) < boxes * 16); from += 500) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    run(from, from + 500);
    rounds.push((process.memoryUsage().heapUsed - before) / 500);
  }
  assert.ok(sum > 0);
  assert.ok(rounds.at(-1) < boxes * 16, `${rounds} bytes a frame`);
}

test("a frame makes no objects: at most a dozen boxes of numbers, which the engine makes", () => {
  makesNoObjects(new FixedTimestep(60), 12);
});

test("behind a filter it makes at most three dozen", () => {
  makesNoObjects(new FixedTimestep(60, { filter: new DisplayClock() }), 36);
});
