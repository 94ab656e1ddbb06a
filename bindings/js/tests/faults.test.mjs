// Bad input: a clear error, and nothing is lost.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { DisplayClock, EvenstepError, FixedTimestep, InputBuffer } from "evenstep";
import { EventQueue } from "evenstep/events";
import { Poses2, Poses3 } from "evenstep/poses";
import { FrameStats } from "evenstep/stats";

/** Sees that a call throws an error of ours whose text matches. */
function fails(code, text, call) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof EvenstepError, `${error.stack}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    return true;
  });
}

test("an uncaught error prints its message and a short line of the source, from each entry", () => {
  for (const fault of [
    'import { FixedTimestep } from "evenstep"; new FixedTimestep(-1)',
    'import { FixedTimestep } from "evenstep"; new FixedTimestep(60).beginFrame("now")',
    'import { FrameStats } from "evenstep/stats"; new FrameStats().frameTime(101)',
    'import { Poses2 } from "evenstep/poses"; new Poses2().add(NaN)',
  ]) {
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", fault], { cwd: import.meta.dirname, encoding: "utf8" });
    assert.match(stderr, /EvenstepError: /, fault);
    assert.ok(stderr.length < 3000, `${fault}: ${stderr.length} characters`);
  }
});

const badTimes = [
  [NaN, "NotFinite", /is NaN; it must be milliseconds/],
  [Infinity, "NotFinite", /is Infinity/],
  [-Infinity, "NotFinite", /is -Infinity/],
  [-1, "Negative", /is -1; it must be milliseconds, not negative/],
  [-1n, "Negative", /is -1n/],
  [1e300, "Range", /292 years/],
  [1n << 70n, "Range", /292 years/],
  ["16", "Type", /is "16"/],
  [undefined, "Type", /is undefined/],
  [null, "Type", /is null/],
  [new Date(0), "Type", /is an object/],
];

test("an invalid time throws an error that names it in every call, and the next frame continues without it", () => {
  const timestep = new FixedTimestep(60);
  const twin = new FixedTimestep(60);
  const input = new InputBuffer();
  for (const one of [timestep, twin]) one.beginFrame(5);
  for (const [time, code, text] of badTimes) {
    fails(code, text, () => timestep.beginFrame(time));
    fails(code, text, () => timestep.advance(time));
    fails(code, text, () => timestep.setMaxDelta(time));
    fails(code, text, () => timestep.setOverrun({ carry: time }));
    fails(code, text, () => input.pressAt(time, "Space"));
    fails(code, text, () => input.releaseAllAt(time));
    fails(code, text, () => input.motionAt(time, 1, 1));
    if (time !== undefined) fails(code, text, () => new FixedTimestep(60, { maxDelta: time }));
  }
  const frames = [timestep, twin].map((one) => ({ ...one.beginFrame(55.5), lost: 0 }));
  assert.deepEqual(frames[0], frames[1]);
  assert.equal(frames[0].steps, 3);
  assert.equal(input.counts.waiting, 0);
});

test("time stands still while the clock is behind, by however much, and a count says so", () => {
  for (const filter of [undefined, new DisplayClock()]) {
    for (const back of [1e-5, 0.5, 1000.001, 3600_000, 1e9]) {
      const [timestep, input] = [new FixedTimestep(60, filter && { filter: new DisplayClock() }), new InputBuffer()];
      const begin = 2e9;
      timestep.beginFrame(begin);
      timestep.beginFrame(begin + 100);
      input.beginFrame(timestep);
      const { tick } = timestep;
      for (let frame = 0; frame < 5; frame++) {
        input.pressAt(begin + 100 - back, "Space");
        assert.ok(timestep.beginFrame(begin + 100 - back / (frame + 1)).steps <= 1);
        input.beginFrame(timestep);
      }
      assert.equal(timestep.backwardFrames, 5);
      assert.ok(timestep.tick - tick <= 1);
      timestep.beginFrame(begin + 200);
      assert.deepEqual([timestep.backwardFrames, timestep.tick], [5, timestep.tick]);
      assert.ok(Math.abs(timestep.tick - 12) <= 1, `${timestep.tick} steps of 12`);
    }
  }
});

test("frame times that go back by jitter end no loop, and no time counts twice", () => {
  const plain = { apply: (delta) => delta, residual: 0, maxLead: 0 };
  for (const filter of [() => undefined, () => ({ ...plain }), () => new DisplayClock()]) {
    const [scattered, calm] = [0, 1].map(() => new FixedTimestep(100, { filter: filter() }));
    let seed = 1;
    let latest = 0;
    for (const one of [scattered, calm]) one.beginFrame(0);
    for (let frame = 1; frame < 1000; frame++) {
      seed = (seed * 48271) % 2147483647;
      const now = Math.max(frame * 7 - (seed % 1000), latest - 1000, 0);
      latest = Math.max(latest, now);
      assert.deepEqual({ ...scattered.beginFrame(now), lost: 0 }, { ...calm.beginFrame(latest), lost: 0 });
    }
    assert.ok(scattered.tick > 500, `${scattered.tick}`);
  }
});

test("options that are no object are an error that names them", () => {
  const timestep = new FixedTimestep(60);
  for (const [none, text] of [[null, /is null; it must be an object/], [5, /is 5/], ["displayClock", /is "displayClock"/]]) {
    fails("Type", text, () => new FixedTimestep(60, none));
    fails("Type", text, () => new InputBuffer(8, none));
    fails("Type", text, () => new EventQueue(timestep, none));
    fails("Type", text, () => new Poses3().add(0, 0, 0, none));
    fails("Type", text, () => new Poses2().commit(none));
    fails("Type", text, () => new Poses2().draw(0, none));
  }
});

test("deltas whose sum exceeds 292 years throw an error", () => {
  const timestep = new FixedTimestep(60);
  timestep.advance(9e12);
  fails("Range", /292 years/, () => timestep.advance(9e12));
  assert.equal(timestep.advance(50).steps, 3);
});

test("a frame that is longer than numbers hold nanoseconds counts as 104 days, and is told", () => {
  for (const filter of [undefined, new DisplayClock()]) {
    const timestep = new FixedTimestep(60, { filter });
    timestep.beginFrame(0);
    const { steps, lost } = timestep.beginFrame(1e12);
    assert.deepEqual([steps, lost.clamped], [15, BigInt(2 ** 53 - 1) - 250_000_000n]);
    assert.equal(timestep.beginFrame(1e12 + 50).steps, 3);
  }
});

test("rates and ratios that are none are named", () => {
  const bad = [
    [0, "Ratio", /the rate is 0; it must be above zero/],
    [-60, "Range", /the rate is -60/],
    [NaN, "NotFinite", /the rate is NaN/],
    [1 / 3, "Ratio", /numerator and denominator, such as \[60000, 1001\]/],
    [[60, 0], "Range", /the rate\[1\] is 0/],
    [[1.5, 1], "Range", /the rate\[0\] is 1.5/],
    [[60], "Type", /the rate\[1\] is undefined/],
    ["60", "Type", /the rate is "60"/],
    [undefined, "Type", /the rate is undefined/],
    [2 ** 32, "Range", /the rate is 4294967296/],
  ];
  for (const [rate, code, text] of bad) fails(code, text, () => new FixedTimestep(rate));
  fails("Range", /the time scale is -1/, () => new FixedTimestep(60).setTimeScale(-1));
});

test("settings that do not exist are named", () => {
  fails("Type", /overrun is "spiral"/, () => new FixedTimestep(60, { overrun: "spiral" }));
  fails("Range", /the most steps is -1/, () => new FixedTimestep(60, { maxSteps: -1 }));
  fails("Range", /the capacity is 0/, () => new InputBuffer(0));
  fails("Range", /the capacity is 1048577/, () => new EventQueue(new FixedTimestep(60), { capacity: 2 ** 20 + 1 }));
  fails("Type", /overflow is "dropAll"/, () => new EventQueue(new FixedTimestep(60), { overflow: "dropAll" }));
  fails("Range", /percent is 101/, () => new FrameStats().frameTime(101));
});

test("an array that is too short, or has NaN in it, is refused whole", () => {
  for (const [poses, floats] of [[new Poses2(), 4], [new Poses3(), 7]]) {
    poses.add(1, 2, 0);
    poses.add(3, 4, 0);
    const before = [...poses.draw(1)];
    fails("Size", new RegExp(`has 3 numbers; 2 rows need ${2 * floats}`), () => poses.commit(new Float32Array(3)));
    fails("Size", /has 1 floats/, () => poses.draw(1, new Float32Array(1)));
    fails("NotFinite", /no row was taken/, () => poses.commit(new Float32Array(2 * floats).fill(NaN)));
    fails("NotFinite", /alpha is NaN/, () => poses.draw(NaN));
    fails("NotFinite", /number 1 of the state is NaN/, () => poses.add(1, NaN, 0));
    fails("NotFinite", /number 1 of the state is NaN/, () => poses.set(0, 1, NaN, 0, { x: 0, y: 0, z: 0, w: 1 }));
    fails("Missing", /there is no row 2; there are 2/, () => poses.set(2, 0, 0, 0, { x: 0, y: 0, z: 0, w: 1 }));
    fails("Missing", /there is no row 2; there are 2/, () => poses.teleport(2));
    fails("Missing", /there is no row -1/, () => poses.remove(-1));
    fails("Missing", /there is no row 0.5/, () => poses.remove(0.5));
    assert.deepEqual([...poses.draw(1)], before);
    assert.equal(poses.length, 2);
  }
  const space = new Poses3();
  space.add(0, 0, 0);
  fails("Type", /number 6 of the state is undefined/, () => space.set(0, 1, 2, 3, { x: 0, y: 0, z: 0 }));
});

test("an array without room for the matrices is refused", () => {
  const poses = new Poses3();
  poses.add(1, 2, 0);
  fails("Size", /has 15 floats; 16 are needed/, () => poses.drawMatrices(1, new Float32Array(15)));
});

test("calls out of order say what must come first", () => {
  const [timestep, input] = [new FixedTimestep(60), new InputBuffer()];
  fails("Order", /call it once a frame, after the timestep's beginFrame/, () => input.beginFrame(timestep));
  fails("Order", /call beginFrame first/, () => input.beginStep(0));
  fails("Order", /there was no frame yet/, () => timestep.overstep);
  fails("Order", /the timestep's beginFrame first/, () => [...new EventQueue(timestep).seen()]);
  const stats = new FrameStats();
  timestep.beginFrame(0);
  stats.record(timestep);
  fails("Order", /once a frame/, () => stats.record(timestep));
  fails("Range", /unrun is 1; it must be a whole number from 0 to 0/, () => timestep.giveBack(1));
  const queue = new EventQueue(timestep);
  queue.emit(5, "later");
  fails("Order", /tick 4 is before tick 5; .*retractFrom first/, () => queue.emit(4, "earlier"));
  fails("Type", /the tick is undefined/, () => queue.emit({}, "none"));
});

test("an invalid result of a filter throws an error that names it, and changes nothing", () => {
  let answer = 5_000_000;
  const filter = { apply: () => answer, residual: 0, maxLead: 0 };
  const timestep = new FixedTimestep(100, { filter });
  timestep.beginFrame(0);
  for (const [code, wrong] of [["NotFinite", NaN], ["Range", -1], ["Range", 0.5], ["Range", 2 ** 53], ["Type", 5n]]) {
    answer = wrong;
    fails(code, /filter.apply\(\) is .*; it must be a whole number/, () => timestep.beginFrame(10));
    fails(code, /filter.apply/, () => timestep.advance(10));
  }
  answer = 25_000_000;
  assert.equal(timestep.beginFrame(10).steps, 2);
  fails("Type", /the filter is "displayClock"; it must be an object such as a DisplayClock/, () => new FixedTimestep(60, { filter: "displayClock" }));
  const shared = new DisplayClock();
  new FixedTimestep(60, { filter: shared });
  fails("Order", /another timestep has it/, () => new FixedTimestep(60, { filter: shared }));
  fails("Range", /delta is -1/, () => shared.apply(-1));
});

test("a full buffer that keeps events of pauses throws an error, counts it, and keeps its events", () => {
  const input = new InputBuffer(1, { keepPauses: true });
  input.pressAt(1, "KeyA");
  fails("Full", /the buffer is full/, () => input.pressAt(2, "KeyB"));
  assert.deepEqual(input.counts, { waiting: 1, late: 0, reordered: 0, refused: 1, paused: 0, foreign: 0 });
});

test("a pause drops presses and motion, no key sticks after it, and nothing is refused", () => {
  const pauses = {
    pause: [(timestep) => timestep.pause(), (timestep) => timestep.resume()],
    "a time scale of zero": [(timestep) => timestep.setTimeScale(0), (timestep) => timestep.setTimeScale(1)],
  };
  for (const frames of [true, false]) {
    for (const [name, [pause, resume]] of Object.entries(pauses)) {
      const [timestep, input] = [new FixedTimestep(60), new InputBuffer()];
      const seen = [];
      const play = (now) => {
        const frame = timestep.beginFrame(now);
        input.beginFrame(timestep);
        for (const step of frame) {
          input.beginStep(step);
          seen.push([input.isHeldAtEnd("KeyW"), input.presses("KeyW"), input.presses("Fire"), input.movedX, input.isHeldAtEnd("KeyD")].map(Number));
        }
      };
      play(0);
      input.pressAt(10, "KeyW");
      play(20);
      pause(timestep);
      for (let now = 20; now < 6020; now++) {
        input.motionAt(now, 1, 0);
        if (now % 100 === 0) input.pressAt(now, "Fire"), input.releaseAt(now + 0.5, "Fire");
        if (frames && now % 16 === 0) play(now);
      }
      input.releaseAt(6020, "KeyW");
      input.pressAt(6021, "KeyD");
      if (!frames && name !== "pause") play(6022);
      resume(timestep);
      if (frames || name === "pause") play(6030);
      seen.length = 0;
      play(6080);
      assert.deepEqual(seen[0], [0, 0, 0, 0, 1], `${name}, ${frames ? "with" : "without"} frames`);
      assert.ok(input.counts.paused > 0);
    }
  }
});

test("an object of another kind is an error that names it", () => {
  fails("Type", /the timestep is an object; it must be a FixedTimestep/, () => new InputBuffer().beginFrame({}));
  fails("Type", /the timestep is null; it must be a FixedTimestep/, () => new EventQueue(null));
});
