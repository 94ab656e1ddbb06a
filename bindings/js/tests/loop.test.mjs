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
  // One frame was requested before, and is none of the game's.
  page.refresh(page.now + 1);
  assert.deepEqual([page.waiting, steps - before <= 1], [0, true]);
  page.now += 60_000;
  game.start();
  page.refresh(page.now + 1);
  assert.ok(steps - before <= 1, `${steps - before} steps`);
  page.play(60, 1);
  assert.ok(Math.abs(steps - before - 60) <= 1);
});

test("a pause begins with the next frame wherever it is called, and ends with the first one after it", () => {
  for (const moment of ["before the frame", "in a step", "while drawing"]) {
    const page = new Page();
    let steps = 0;
    let isToCome = true;
    const pauseAt = (now) => {
      if (now !== moment || steps === 0 || !isToCome) return;
      isToCome = false;
      game.pause();
    };
    const game = loop({ rate: 100, filter: null, step: () => (steps++, pauseAt("in a step")), draw: () => pauseAt("while drawing") });
    game.start();
    page.refresh(0);
    page.refresh(30);
    const before = steps;
    pauseAt("before the frame");
    page.refresh(60);
    game.resume();
    page.refresh(90);
    assert.deepEqual([before, steps, moment], [3, 3, moment]);
    page.refresh(120);
    assert.equal(steps, 6, moment);
  }
});

test("a pause draws frames and runs single steps only, until it is resumed, also if the page is hidden meanwhile", () => {
  const page = new Page();
  let steps = 0;
  let draws = 0;
  let presses = 0;
  const game = loop({
    step(_, input) {
      steps++;
      presses += input.presses("Space");
    },
    draw: () => draws++,
  });
  game.start();
  page.refresh(0);
  page.play(60, 1);
  game.pause();
  assert.ok(game.isPaused);
  const before = steps;
  draws = 0;
  page.hide(true);
  page.hide(false);
  game.input.pressAt(page.now, "Space");
  game.input.releaseAt(page.now, "Space");
  page.play(60, 1);
  assert.deepEqual([steps, draws], [before, 60]);
  game.stepOnce();
  page.play(60, 1);
  assert.equal(steps, before + 1);
  game.stop();
  game.start();
  page.play(60, 1);
  assert.deepEqual([steps, game.isPaused], [before + 1, true]);
  game.resumeDropping();
  assert.ok(!game.isPaused);
  game.setTimeScale(0.5);
  page.play(60, 1);
  assert.ok(Math.abs(steps - before - 31) <= 1, `${steps - before} steps`);
  assert.equal(presses, 0);
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
  const [step, draw] = [() => {}, () => {}];
  for (const [options, text] of [
    [undefined, /the loop is undefined/],
    [{ draw }, /step is undefined; it must be a function/],
    [{ step, draw: 5 }, /draw is 5/],
    [{ step, draw, target: "canvas" }, /target is "canvas"; it must be an element, or the window/],
  ]) {
    assert.throws(() => loop(options), (error) => error instanceof EvenstepError && text.test(error.message));
  }
});

/** A loop on a page that has begun, and what it saw of some keys in each step. */
function playing(keys, options = {}) {
  const page = new Page();
  const seen = [];
  const step = (_, input) => seen.push(keys.map((key) => [input.presses(key), input.isHeldAtEnd(key)]));
  const game = loop({ step, draw() {}, ...options });
  game.start();
  page.refresh(0);
  page.play(60, 0.2);
  const sum = (at = 0) => [seen.reduce((sum, step) => sum + step[at][0], 0), seen.at(-1)[at][1]];
  return { page, game, sum };
}

test("a key that is released while the loop is stopped is up afterwards", () => {
  const { page, game, sum } = playing(["KeyD"]);
  page.happen("keydown", { code: "KeyD" });
  page.play(60, 0.2);
  assert.deepEqual(sum(), [1, true]);
  game.stop();
  page.happen("keyup", { code: "KeyD" });
  game.start();
  page.play(60, 0.2);
  assert.deepEqual(sum(), [1, false]);
});

test("each mouse button is pressed and released by itself, as browsers report chords", () => {
  const { page, sum } = playing(["Pointer0", "Pointer2"]);
  const mouse = (name, button, buttons) => page.happen(name, { pointerId: 1, button, buttons, movementX: 0, movementY: 0 });
  mouse("pointerdown", 0, 1);
  page.play(60, 0.1);
  mouse("pointermove", 2, 3);
  page.play(60, 0.1);
  assert.deepEqual([sum(0), sum(1)], [[1, true], [1, true]]);
  mouse("pointermove", 0, 2);
  page.play(60, 0.1);
  assert.deepEqual([sum(0), sum(1)], [[1, false], [1, true]]);
  mouse("pointerup", 2, 0);
  page.play(60, 0.1);
  assert.deepEqual([sum(0), sum(1)], [[1, false], [1, false]]);
});

test("keys that go up while Meta is held, of which macOS says nothing, are up when it is; buttons and other sources stay", () => {
  for (const order of ["KeyS first", "Meta first"]) {
    for (const meta of ["MetaLeft", "MetaRight", "OSLeft"]) {
      const { page, game, sum } = playing(["KeyS", "ArrowUp", "Pointer0", "GamepadA", meta]);
      const keys = order === "KeyS first" ? ["ArrowUp", "KeyS", meta] : [meta, "ArrowUp", "KeyS"];
      for (const code of keys) page.happen("keydown", { code, metaKey: code === meta });
      page.happen("pointerdown", { button: 0, pointerId: 1 });
      game.input.pressAt(page.now, "GamepadA");
      page.play(60, 0.2);
      page.happen("keyup", { code: meta });
      page.play(60, 0.2);
      assert.deepEqual([0, 1, 2, 3, 4].map(sum), [[1, false], [1, false], [1, true], [1, true], [1, false]], `${order}, ${meta}`);
      // The next press is one.
      page.happen("keydown", { code: "KeyS" });
      page.play(60, 0.2);
      assert.deepEqual(sum(0), [2, true]);
      page.happen("keyup", { code: "KeyS" });
      page.play(60, 0.2);
      assert.deepEqual(sum(0), [2, false]);
    }
  }
});

/** The style of an element, as far as a loop needs it. */
class Style {
  #values = new Map();
  setProperty(name, value, priority = "") {
    if (value === "") this.#values.delete(name);
    else this.#values.set(name, [value, priority]);
  }
  getPropertyValue(name) {
    return this.#values.get(name)?.[0] ?? "";
  }
  get touchAction() {
    return this.getPropertyValue("touch-action");
  }
  set touchAction(value) {
    this.setProperty("touch-action", value);
  }
  getPropertyPriority(name) {
    return this.#values.get(name)?.[1] ?? "";
  }
}

test("the target's touches are the game's while a loop runs, and its style is as it was afterwards", () => {
  const touch = (style) => style.getPropertyValue("touch-action");
  for (const before of ["", "pan-y", "none"]) {
    for (const isPage of [false, true]) {
      const page = new Page();
      const target = Object.assign(new EventTarget(), { style: new Style() });
      if (isPage) document.documentElement = target;
      const { style } = target;
      style.setProperty("touch-action", before);
      const make = () => loop({ step() {}, draw() {}, ...(isPage ? {} : { target }) });
      const [one, other] = [make(), make()];
      assert.equal(touch(style), before);
      one.start();
      other.start();
      one.start();
      assert.equal(touch(style), "none");
      one.stop();
      one.stop();
      assert.equal(touch(style), "none", "the other one runs");
      other.stop();
      assert.equal(touch(style), before);
      one.start();
      style.setProperty("touch-action", "pan-x");
      one.stop();
      assert.equal(touch(style), "pan-x", "what the page sets meanwhile stays");
      style.setProperty("touch-action", "pan-y", "important");
      one.start();
      assert.equal(touch(style), "pan-y");
      one.stop();
      assert.deepEqual([touch(style), style.getPropertyPriority("touch-action")], ["pan-y", "important"]);
      page.refresh(0);
    }
  }
  // An error in a step stops the loop, and gives the style back.
  const page = new Page();
  const target = Object.assign(new EventTarget(), { style: new Style() });
  const broken = loop({ step() { throw new Error("broken"); }, draw() {}, target });
  broken.start();
  page.refresh(0);
  assert.throws(() => page.refresh(100), /broken/);
  assert.equal(touch(target.style), "");
});

test("what the browser does with the game's buttons by default it does not do, except in fields, on links and where the page says so", () => {
  const [canvas, field, link, shelf] = [{ tagName: "CANVAS" }, element("INPUT"), { matches: (selector) => /^a,/.test(selector) }, { matches: (selector) => /draggable=true/.test(selector) }];
  const acts = [["contextmenu", {}], ["dragstart", {}], ["mousedown", { button: 1 }], ["mouseup", { button: 3 }], ["mouseup", { button: 4 }]];
  const { page, game } = playing([]);
  for (const [name, data] of acts) {
    const acted = (path) => page.happen(name, data, path);
    assert.deepEqual([[canvas], [field], [canvas, link], [canvas, shelf]].map(acted), [false, true, true, true], name);
    game.stop();
    assert.equal(acted([canvas]), true, `${name}, stopped`);
    game.start();
  }
  assert.equal(page.happen("mousedown", { button: 0 }, [canvas]), true, "the first button gives the focus");
});

test("a second finger is a press of its own, and the first one stays down", () => {
  const { page, sum } = playing(["Pointer0"]);
  page.happen("pointerdown", { button: 0, pointerId: 1 });
  page.play(60, 0.1);
  page.happen("pointerdown", { button: 0, pointerId: 2 });
  page.play(60, 0.1);
  page.happen("pointerup", { button: 0, pointerId: 2 });
  page.play(60, 0.1);
  assert.deepEqual(sum(), [2, true]);
  page.happen("pointercancel", { button: 0, pointerId: 1 });
  page.play(60, 0.1);
  assert.deepEqual(sum(), [2, false]);
});

test("a button that is released outside the window is up when the pointer returns", () => {
  const { page, sum } = playing(["Pointer0"]);
  page.happen("pointerdown", { button: 0, buttons: 1, pointerId: 1 });
  page.play(60, 0.1);
  page.happen("pointermove", { button: -1, buttons: 0, pointerId: 1, movementX: 0, movementY: 0 });
  page.play(60, 0.1);
  assert.deepEqual(sum(), [1, false]);
});

test("a loop that a step or draw stops and starts again draws once a refresh", () => {
  for (const place of ["step", "draw"]) {
    const page = new Page();
    let [calls, draws] = [0, 0];
    const again = (where) => {
      if (where !== place || ![10, 20, 30].includes(++calls)) return;
      game.stop();
      game.start();
    };
    const game = loop({ step: () => again("step"), draw: () => (draws++, again("draw")) });
    game.start();
    page.refresh(0);
    page.play(144, 1);
    draws = 0;
    page.play(144, 1);
    assert.equal(draws, 144, place);
    game.stop();
    page.play(144, 0.1);
    assert.deepEqual([draws, page.waiting], [144, 0], place);
  }
});

/** An element that has the focus, as far as a loop needs it. Real ones: keys.mjs. */
const element = (tagName, type) => ({ tagName, type, getAttribute: () => null, matches: () => tagName === "INPUT" && !type });

test("a key is the focused element's if it acts on that key, and the game's otherwise, which then scrolls nothing", () => {
  const [body, button, field, slider] = [element("BODY"), element("BUTTON", "submit"), element("INPUT"), element("INPUT", "range")];
  const target = Object.assign(new EventTarget(), element("CANVAS"));
  for (const options of [{}, { target }]) {
    for (const [path, used] of [[[body], []], [[target, body], []], [[button, body], ["Space"]], [[field], ["KeyA", "ArrowUp", "Space"]], [[slider, body], ["ArrowUp"]]]) {
      for (const code of ["KeyA", "ArrowUp", "Space"]) {
        const { page, sum } = playing([code], options);
        const isUsed = used.includes(code);
        assert.equal(page.happen("keydown", { code }, path), isUsed || code === "KeyA", `${code} scrolls`);
        assert.equal(page.happen("keydown", { code, altKey: true, repeat: true }, path), true, "with Alt it is the browser's");
        page.play(60, 0.1);
        assert.deepEqual(sum(), isUsed ? [0, false] : [1, true], code);
        page.happen("keyup", { code }, path);
        page.play(60, 0.1);
        assert.deepEqual(sum(), [isUsed ? 0 : 1, false], code);
      }
    }
  }
  // The number pad's arrows.
  assert.equal(playing([]).page.happen("keydown", { code: "Numpad8", key: "ArrowUp" }, [body]), false);
});

test("a loop that starts takes the focus from a button, on which the next Space would be a click, and from nothing else", () => {
  for (const [focused, leaves] of [[element("BUTTON", "submit"), 1], [element("A"), 1], [element("INPUT"), 0], [element("CANVAS"), 0], [element("INPUT", "range"), 0], [null, 0]]) {
    const { game } = playing([]);
    let blurs = 0;
    document.activeElement = focused && Object.assign(focused, { blur: () => blurs++ });
    game.start();
    assert.equal(blurs, 0);
    game.stop();
    game.start();
    assert.equal(blurs, leaves, focused?.tagName);
  }
});

test("begin runs before the steps of its frame, and what it presses acts in the first of them", () => {
  const page = new Page();
  const order = [];
  const game = loop({
    begin(input, now) {
      order.push(`begin at ${now}`);
      if (now === 500) input.press("GamepadA");
    },
    step: (_, input) => order.push(input.presses("GamepadA") ? "press" : "step"),
    draw: () => order.push("draw"),
  });
  game.start();
  page.refresh(0);
  page.play(40, 1);
  assert.match(order.join(", "), /^(begin at [\d.]+, (step, )*draw(, )?)+begin at 500, press, (step, )*draw(, begin at [\d.]+(, step)*, draw)+$/);
});

test("frames come from where requestFrame gets them, also if that is another one after a restart", () => {
  const page = new Page();
  const queues = { window: [], session: [] };
  let from = "window";
  let [steps, draws] = [0, 0];
  const game = loop({ step: () => steps++, draw: () => draws++, requestFrame: (callback) => queues[from].push(callback) });
  game.start();
  const play = (name, begin, seconds, rate) => {
    for (let index = 0; index < seconds * rate; index++) for (const run of queues[name].splice(0)) run(begin + (index * 1000) / rate);
  };
  play("window", 1000, 2, 60);
  assert.deepEqual([page.waiting, draws], [0, 120]);
  from = "session";
  game.stop();
  game.start();
  [steps, draws] = [0, 0];
  play("session", 3000, 5, 72);
  assert.ok(Math.abs(steps - 300) <= 2 && draws === 360, `${steps} steps, ${draws} frames`);
  // The window's last frame, which waited meanwhile.
  play("window", 8000, 1, 60);
  assert.equal(draws, 360);
});

test("the frames drawn in a second are counted anew after half a second, and not before", () => {
  const page = new Page();
  const game = loop({ step() {}, draw() {} });
  game.start();
  page.refresh(1000);
  for (const now of [1200, 1350, 1499]) page.refresh(now);
  assert.equal(game.fps, 0);
  page.refresh(1500);
  assert.equal(game.fps, 8);
  page.refresh(1999);
  assert.equal(game.fps, 8);
  page.refresh(2000);
  assert.equal(game.fps, 4);
});

test("maxFps limits the frames a second on every display, with jitter, and leaves a slower display alone", () => {
  for (const maxFps of [20, 30, 60, 59.94, [120, 1], 1000]) {
    const most = Array.isArray(maxFps) ? maxFps[0] : maxFps;
    for (const display of [24, 30, 48, 59.94, 60, 60.05, 72, 75, 90, 120, 144, 165, 240, 360]) {
      for (const jitter of [0, 0.4]) {
        const page = new Page();
        let [steps, draws] = [0, 0];
        const game = loop({ step: () => steps++, draw: () => draws++, maxFps });
        game.start();
        page.refresh(1000);
        for (let index = 1; index <= 10 * display; index++) page.refresh(1000 + (index * 1000) / display + (jitter * ((index * 7919) % 13)) / 13);
        const wanted = Math.min(most, display);
        const place = `${most} at ${display} Hz: ${draws / 10} frames a second`;
        // A display that is a little faster may have its own rate.
        assert.ok(draws / 10 <= (display < most * 1.04 ? display : wanted * 1.03) + 0.3 && draws / 10 >= wanted * 0.97, place);
        assert.ok(Math.abs(steps - 600) <= 60 / wanted + 2, `${place}, ${steps} steps`);
        assert.ok(Math.abs(game.fps - draws / 10) <= draws / 100 + 2.5, `${place}, fps ${game.fps}`);
      }
    }
  }
  // A clock that begins again stops nothing.
  const page = new Page();
  let draws = 0;
  loop({ step() {}, draw: () => draws++, maxFps: 60 }).start();
  for (const begin of [1e6, 0]) for (let index = 0; index < 60; index++) page.refresh(begin + (index * 1000) / 60);
  assert.equal(draws, 120);
});

test("a step that is async is refused at once, and stops the loop", () => {
  const page = new Page();
  const game = loop({ step: async () => {}, draw() {} });
  game.start();
  page.refresh(0);
  assert.throws(() => page.refresh(100), (error) => error instanceof EvenstepError && /step: it must not be async/.test(error.message));
  assert.equal(game.isRunning, false);
});

test("a button that goes down beside the game is not the game's, also if another one goes down on it", () => {
  const target = new EventTarget();
  const { page, sum } = playing(["Pointer0", "Pointer2"], { target });
  const on = (at, name, data) => {
    const event = Object.assign(new Event(name), { pointerId: 1, movementX: 0, movementY: 0, ...data });
    Object.defineProperty(event, "timeStamp", { value: page.now });
    at.dispatchEvent(event);
  };
  on(page, "pointermove", { button: 0, buttons: 1 });
  on(page, "pointermove", { button: 2, buttons: 3 });
  on(target, "pointermove", { button: 2, buttons: 3 });
  page.play(60, 0.1);
  assert.deepEqual([sum(0), sum(1)], [[0, false], [1, true]]);
  on(page, "pointermove", { button: 2, buttons: 1 });
  page.play(60, 0.1);
  assert.deepEqual([sum(0), sum(1)], [[0, false], [1, false]]);
});

test("the wheel over the target does not scroll the page if the game keeps it; with Ctrl it zooms", () => {
  for (const keepsWheel of [undefined, false, true]) {
    const { page } = playing([], { keepsWheel });
    const acts = (data = {}, path = [element("CANVAS")]) => page.happen("wheel", { deltaX: 0, deltaY: 5, ...data }, path);
    assert.deepEqual([acts(), acts({ ctrlKey: true }), acts({}, [element("INPUT")])], [!keepsWheel, true, true]);
  }
});

/** A slow model of the keys: each event acts on the sets of pointers that hold a button. */
test("random fingers, buttons, pauses and restarts leave the keys as a plain model has them", () => {
  for (let seed = 1; seed <= 300; seed++) {
    let state = seed;
    const random = (below) => (state = (state * 48_271) % 2_147_483_647) % below;
    const { page, game, sum } = playing(["Pointer0", "Pointer1", "Pointer2"]);
    const BITS = [1, 4, 2];
    /** Pointer → the set of buttons that it holds. */
    let held = new Map([[0, new Set()], [1, new Set()], [2, new Set()]]);
    const presses = [0, 0, 0];
    for (let turn = 0; turn < 40; turn++) {
      const [pointerId, button] = [random(3), random(3)];
      const own = held.get(pointerId);
      const hadNone = own.size === 0;
      const isPress = !own.has(button);
      const kind = random(12);
      if (kind === 0) {
        game.stop();
        game.start();
        held.forEach((set) => set.clear());
      } else if (kind === 1) {
        page.happen("blur");
        held.forEach((set) => set.clear());
      } else {
        if (isPress) own.add(button);
        else own.delete(button);
        presses[button] += Number(isPress);
        const buttons = [...own].reduce((bits, button) => bits | BITS[button], 0);
        const name = isPress && hadNone ? "pointerdown" : own.size === 0 ? "pointerup" : "pointermove";
        page.happen(name, { pointerId, button, buttons, movementX: 0, movementY: 0 });
      }
      page.play(60, 0.05);
      for (const at of [0, 1, 2]) {
        const isHeld = [...held.values()].some((set) => set.has(at));
        assert.deepEqual(sum(at), [presses[at], isHeld], `seed ${seed}, turn ${turn}, button ${at}`);
      }
    }
  }
});

test("a loop in a worker is refused with what to call instead", () => {
  new Page();
  delete globalThis.document;
  assert.throws(() => loop({ step() {}, draw() {} }), (error) => error instanceof EvenstepError && /in a worker, call FixedTimestep/.test(error.message));
});

test("what a hidden page does is a pause or a run, and any other word is an error", () => {
  new Page();
  assert.throws(() => loop({ step() {}, draw() {}, whenHidden: "go" }), { code: "Type", message: /whenHidden is "go"; it must be "pause" or "run"/ });
});
