// The loop, in a page that the test owns.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EvenstepError, loop } from "evenstep";
import { Page } from "./page.mjs";

test("steps are as many on every display, and each frame is drawn once", () => {
  for (const display of [30, 60, 75, 144, 360]) {
    const page = new Page();
    const ticks = [];
    let drawn = 0;
    const game = loop({ step: (dt, _, tick) => ticks.push([dt, tick]), draw: (alpha) => assert.ok(alpha >= 0 && alpha < 1 && ++drawn) });
    game.start();
    game.start();
    page.refresh(0);
    page.play(display, 4);
    assert.ok(Math.abs(ticks.length - 240) <= 1, `${ticks.length} steps at ${display} Hz`);
    assert.ok(ticks.every(([dt, tick], index) => dt === 1 / 60 && tick === index));
    assert.equal(drawn, 4 * display + 1);
  }
});

test("a key or button that is tapped between two frames reaches one step, and a held one is held until its release", () => {
  const page = new Page();
  const seen = [];
  const game = loop({
    step: (_, input) => seen.push([input.presses("Space"), Number(input.isDown("KeyD")), input.presses("Pointer0"), input.movedX, input.turnedY]),
    draw() {},
  });
  game.start();
  page.refresh(0);
  page.play(60, 0.5);
  page.happen("keydown", { code: "Space" });
  page.happen("keyup", { code: "Space" });
  page.happen("keydown", { code: "KeyD" });
  page.happen("keydown", { code: "KeyD", repeat: true });
  page.happen("pointerdown", { button: 0 });
  page.happen("pointermove", { movementX: 5, movementY: 0 });
  page.happen("wheel", { deltaX: 0, deltaY: 3 });
  page.play(60, 0.5);
  page.happen("blur");
  page.play(60, 0.5);
  const sums = seen.reduce((sums, counts) => sums.map((sum, at) => sum + counts[at]), [0, 0, 0, 0, 0]);
  assert.deepEqual([sums[0], sums[2], sums[3], sums[4]], [1, 1, 5, 3]);
  assert.ok(sums[1] >= 28 && sums[1] <= 32, `held in ${sums[1]} steps`);
});

test("time in a hidden page, and while it is stopped, is not simulated", () => {
  const page = new Page();
  let steps = 0;
  const game = loop({ step: () => steps++, draw() {} });
  game.start();
  page.refresh(0);
  page.play(60, 1);
  const before = steps;
  page.hide(true);
  page.now += 60_000;
  page.hide(false);
  page.refresh(page.now + 1);
  assert.ok(steps - before <= 1, `${steps - before} steps`);
  game.stop();
  assert.equal(page.waiting, 0);
  page.now += 60_000;
  game.start();
  page.refresh(page.now + 1);
  assert.ok(steps - before <= 1, `${steps - before} steps`);
  page.play(60, 1);
  assert.ok(Math.abs(steps - before - 60) <= 1);
});

test("an error stops the loop, and a step may stop it, too", () => {
  const page = new Page();
  let drawn = 0;
  const broken = loop({
    step() {
      throw new Error("broken");
    },
    draw: () => drawn++,
  });
  broken.start();
  page.refresh(0);
  assert.throws(() => page.refresh(100), /broken/);
  assert.deepEqual([broken.isRunning, page.waiting, drawn], [false, 0, 1]);
  let steps = 0;
  const game = loop({ step: () => ++steps === 2 && game.stop(), draw() {} });
  game.start();
  page.refresh(200);
  page.refresh(400);
  assert.deepEqual([steps, game.isRunning, page.waiting], [2, false, 0]);
});

test("draw gets whether the user prefers reduced motion", () => {
  const page = new Page();
  const received = [];
  loop({ step() {}, draw: (_, reducesMotion) => received.push(reducesMotion) }).start();
  page.refresh(0);
  page.reduces = true;
  page.refresh(16);
  assert.deepEqual(received, [false, true]);
});

test("a loop without steps or without drawing is refused", () => {
  new Page();
  for (const [options, text] of [[undefined, /the loop is undefined/], [{ draw() {} }, /step is undefined; it must be a function/], [{ step() {}, draw: 5 }, /draw is 5/]]) {
    assert.throws(() => loop(options), (error) => error instanceof EvenstepError && text.test(error.message));
  }
});
