// Pointers with a place and an identity, in a page that the test owns.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DisplayClock, EvenstepError, FixedTimestep, InputBuffer, Smoothed } from "evenstep";
import { Pointers } from "evenstep/pointers";
import { Page } from "./page.mjs";

/** Sends an event to a target and then, as a browser does, to the window; with a time of its own. */
function send(page, target, name, at, data) {
  const event = Object.assign(new Event(name), { pointerId: 1, pointerType: "touch", button: 0, ...data });
  Object.defineProperty(event, "timeStamp", { value: at });
  event.composedPath = () => [target, page];
  if (name !== "pointerdown") page.dispatchEvent(event);
  target.dispatchEvent(event);
}

/** A move as browsers send it, once a frame, with the reports since the last one. */
const moved = (reports, data) => {
  const parts = reports.map(([timeStamp, x, y]) => ({ timeStamp, clientX: x, clientY: y }));
  return { ...data, clientX: parts.at(-1).clientX, clientY: parts.at(-1).clientY, getCoalescedEvents: () => parts };
};

/** Plays frames at a display's rate and the reports of a device, and returns what `step` saw. */
function play({ device, hz, display, rate = 60, jitter = 0, phase = 0.3, delivery = 0, filter = new DisplayClock(), seconds = 4, place }) {
  const page = new Page();
  const target = new EventTarget();
  const timestep = new FixedTimestep(rate, filter ? { filter } : {});
  const pointers = new Pointers(timestep, target);
  const steps = [];
  let next = 1000 + phase;
  let isDown = false;
  let seed = 1;
  for (let frame = 0; frame < display * seconds; frame++) {
    seed = (seed * 48_271) % 2_147_483_647;
    const now = 1000 + (frame * 1000) / display + jitter * (seed / 2_147_483_647);
    const reports = [];
    for (; next + delivery <= now; next += 1000 / hz) reports.push([next, place(next), 50]);
    if (reports.length > 0 && device === "touch" && !isDown) {
      const [at, x, y] = reports.shift();
      send(page, target, "pointerdown", at, { clientX: x, clientY: y });
      isDown = true;
    }
    if (reports.length > 0) send(page, target, "pointermove", reports.at(-1)[0], moved(reports, { pointerType: device }));
    const plan = timestep.beginFrame(now);
    for (const { tick } of plan) {
      const end = now - (timestep.tick - tick - 1 + plan.alpha) * (1000 / rate);
      const [pointer] = pointers.of(tick);
      if (pointer) steps.push({ tick, end, x: pointer.x, isDown: pointer.isDown, pointer });
    }
  }
  pointers.close();
  return steps;
}

test("what follows a pointer has its speed in each step, and is no later than a step and a frame", () => {
  for (const [device, hz] of [["touch", 60], ["touch", 120], ["touch", 240], ["mouse", 125], ["mouse", 500], ["mouse", 1000], ["mouse", 8000]]) {
    for (const display of [60, 72, 75, 90, 120, 144]) {
      for (const jitter of [0, 0.5]) {
        for (const phase of [0.3, 5.7]) {
          const place = (at) => Math.max(0, at - 1200); // 1000 px a second
          const steps = play({ device, hz, display, jitter, phase, delivery: hz === 60 ? 0 : 0.2, place });
          const later = steps.filter(({ tick }) => tick > 90);
          const where = `${device} of ${hz}, ${display} Hz, jitter ${jitter}, phase ${phase}`;
          assert.ok(later.length > 100, where);
          for (const [index, { x, end }] of later.entries()) {
            if (index === 0) continue;
            const speed = (x - later[index - 1].x) * 60;
            assert.ok(speed >= 960 && speed <= 1040, `${where}: ${speed} px a second`);
            const late = end - 1200 - x;
            assert.ok(late >= -0.1 && late <= 1000 / 60 + 1000 / display + 1, `${where}: ${late} ms late`);
          }
        }
      }
    }
  }
});

test("a pointer in a step is where it was a step and 4 ms before the step's end, or 12.5 ms if the step is shorter than 8.5 ms", () => {
  for (const [rate, before] of [[20, 54], [100, 14], [117, 1000 / 117 + 4], [118, 12.5], [250, 12.5]]) {
    const steps = play({ device: "mouse", hz: 8000, display: 144, rate, filter: null, seconds: 1, place: (at) => at });
    const settled = steps.filter(({ end }) => end > 1200);
    assert.ok(settled.length >= 0.7 * rate, `${settled.length} steps`);
    for (const { end, x } of settled) assert.ok(Math.abs(end - before - x) < 1e-5, `${rate} Hz: ${end - x} ms before its end`);
  }
});

test("what follows is drawn as even as it moves", () => {
  for (const display of [60, 72, 90, 120, 144]) {
    const page = new Page();
    const target = new EventTarget();
    const timestep = new FixedTimestep(60, { filter: new DisplayClock() });
    const pointers = new Pointers(timestep, target);
    const x = new Smoothed(0);
    let last;
    for (let frame = 0; frame < 4 * display; frame++) {
      const now = 1000 + (frame * 1000) / display;
      const reports = [];
      for (let at = now - 1000 / display; at < now; at += 1) reports.push([at, at - 1000, 0]);
      send(page, target, "pointermove", reports.at(-1)[0], moved(reports, { pointerType: "mouse" }));
      const plan = timestep.beginFrame(now);
      for (const { tick } of plan) x.step(() => pointers.of(tick)[0].x);
      const drawn = x.at(plan.alpha);
      if (frame > 2 * display) {
        const speed = (drawn - last) * display;
        assert.ok(speed > 960 && speed < 1040, `${display} Hz: ${speed}`);
      }
      last = drawn;
    }
    pointers.close();
  }
});

/** A page with a canvas of 640 by 400 pixels, shown half as large, with a border. */
function canvasPage() {
  const page = new Page();
  const target = Object.assign(new EventTarget(), {
    width: 640, height: 400, offsetWidth: 330, offsetHeight: 210, clientWidth: 320, clientHeight: 200, clientLeft: 5, clientTop: 5,
    getContext() {},
    getBoundingClientRect: () => ({ left: 100, top: 50, width: 330, height: 210 }),
  });
  const timestep = new FixedTimestep(100);
  const pointers = new Pointers(timestep, target);
  timestep.beginFrame(1000);
  let now = 1000;
  /** The pointers of the next step. */
  const step = (milliseconds = 10) => {
    const frame = timestep.beginFrame((now += milliseconds));
    return [...frame].map(({ tick }) => pointers.of(tick).map((pointer) => ({ ...pointer })));
  };
  return { page, target, timestep, pointers, step, now: () => now };
}

test("a finger is in the canvas's own pixels, knows where and when it went down, and is down in a step at least", () => {
  const { page, target, step } = canvasPage();
  const event = (name, at, x, y, pointerId) => send(page, target, name, at, { clientX: x, clientY: y, pointerId });
  step();
  event("pointerdown", 1013, 105, 55, 7);
  let [[finger]] = step();
  assert.deepEqual(finger, { id: 7, type: "touch", x: 0, y: 0, isDown: true, since: 1, startX: 0, startY: 0 });
  event("pointermove", 1024, 265, 155, 7);
  event("pointerdown", 1025, 425, 255, 8);
  for (let more = 0; more < 4; more++) step();
  const [fingers] = step();
  assert.deepEqual(fingers.map(({ id, x, y, startX, startY, since }) => [id, x, y, startX, startY, since]), [[7, 320, 200, 0, 0, 1], [8, 640, 400, 640, 400, 2]]);
  event("pointerup", 1075, 265, 155, 7);
  const seen = [];
  for (let more = 0; more < 5; more++) seen.push(step()[0].map(({ id, isDown }) => `${id} ${isDown}`).join(", "));
  assert.match(seen.join("; "), /^(7 true, 8 true; )+7 false, 8 true(; 8 true)+$/);
});

test("each touch is down in a step, however short it is, and whatever the frames are", () => {
  for (const milliseconds of [3, 10, 34, 200]) {
    for (const length of [0, 1, 9, 30, 300]) {
      for (const late of [0, 500]) {
        const { page, target, step, now } = canvasPage();
        const downs = new Set();
        let sent = 0;
        for (let frame = 0; frame < 300; frame++) {
          if (frame % 40 === 5 && frame < 200) {
            sent++;
            const at = Math.max(now() - late, 0);
            send(page, target, "pointerdown", at, { clientX: 200, clientY: 100, pointerId: sent });
            send(page, target, "pointerup", at + length, { clientX: 200, clientY: 100, pointerId: sent });
          }
          for (const pointers of step(milliseconds)) for (const { id, isDown } of pointers) if (isDown) downs.add(id);
        }
        assert.equal(downs.size, sent, `frames of ${milliseconds} ms, touches of ${length} ms, ${late} ms late`);
        assert.deepEqual(step(1000).at(-1), [], "all are gone");
      }
    }
  }
});

test("a press and its button reach the same step", () => {
  for (let at = 1000; at < 1060; at += 0.7) {
    const page = new Page();
    const target = new EventTarget();
    const timestep = new FixedTimestep(60, { filter: new DisplayClock() });
    const [pointers, input] = [new Pointers(timestep, target), new InputBuffer()];
    const seen = { pointer: undefined, button: undefined };
    for (let frame = 0; frame < 30; frame++) {
      const now = 1000 + (frame * 1000) / 144;
      if (at <= now && at > now - 1000 / 144) {
        send(page, target, "pointerdown", at, { clientX: 0, clientY: 0, pointerType: "mouse" });
        input.pressAt(at, "Pointer0");
      }
      const plan = timestep.beginFrame(now);
      input.beginFrame(timestep);
      for (const { tick } of plan) {
        input.beginStep(tick);
        if (input.presses("Pointer0")) seen.button = tick;
        const [pointer] = pointers.of(tick);
        if (pointer?.isDown) seen.pointer ??= tick;
      }
    }
    assert.equal(seen.pointer, seen.button, `at ${at}`);
    assert.ok(seen.button !== undefined || at === 1000);
  }
});

test("a mouse stays where it was, in and out of pauses; a lost finger, a pen that leaves and a blurred window end", () => {
  const { page, target, timestep, step, now } = canvasPage();
  const event = (name, data) => send(page, target, name, now(), { clientX: 265, clientY: 155, ...data });
  event("pointermove", { pointerType: "mouse", pointerId: 1 });
  event("pointermove", { pointerType: "touch", pointerId: 2 });
  step(50);
  assert.deepEqual(step().at(-1).map(({ id, x, y, isDown }) => [id, x, y, isDown]), [[1, 320, 200, false]]);
  for (const end of ["pointercancel", "blur"]) {
    event("pointerdown", { pointerId: 3 });
    step(50);
    assert.deepEqual(step().at(-1).map(({ id, isDown }) => [id, isDown]), [[1, false], [3, true]]);
    event(end, { pointerId: 3 });
    step(100);
    assert.deepEqual(step().at(-1).map(({ id }) => id), [1], end);
  }
  event("pointermove", { pointerType: "pen", pointerId: 4 });
  step(50);
  assert.equal(step().at(-1).length, 2);
  event("pointerout", { pointerType: "pen", pointerId: 4, relatedTarget: null });
  assert.equal(step().at(-1).length, 1);
  timestep.pause();
  step(5000);
  timestep.resume();
  step();
  assert.deepEqual(step().at(-1).map(({ x }) => x), [320]);
});

test("a pointer that is asked for while no step ran keeps little, and a target that is none is refused", () => {
  const { page, target, pointers, step } = canvasPage();
  for (let at = 0; at < 20_000; at++) send(page, target, "pointermove", 1000 + at / 8, { pointerType: "mouse", clientX: 105 + at / 100, clientY: 55 });
  const [mouse] = step(2500).at(-1);
  assert.ok(mouse.x > 390 && mouse.x < 400, `${mouse.x}`);
  const timestep = new FixedTimestep(60);
  for (const wrong of [() => new Pointers({}, target), () => new Pointers(timestep, "canvas"), () => new Pointers(timestep, null), () => pointers.of("1")]) assert.throws(wrong, EvenstepError);
  pointers.close();
  send(page, target, "pointerdown", 5000, { clientX: 0, clientY: 0 });
  assert.deepEqual(step(100).at(-1), []);
});
