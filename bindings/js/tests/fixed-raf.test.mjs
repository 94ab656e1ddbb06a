// fixed-raf on a display that the test owns: laws, and a model that is slow and plainly right.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { FixedTimestep } from "evenstep";

const code = readFileSync(fileURLToPath(import.meta.resolve("evenstep/fixed-raf")), "utf8");
const script = new vm.Script(code);

/** A page with a display: refreshes come when the test says so. */
class Page {
  now = 0;
  errors = [];
  warnings = [];
  #callbacks = new Map();
  #last = 0;

  constructor(options = {}, scope = {}) {
    const page = this;
    this.window = {
      requestAnimationFrame(callback) {
        if (typeof callback !== "function") throw new TypeError("not a function");
        page.#callbacks.set(++page.#last, callback);
        return page.#last;
      },
      cancelAnimationFrame: (id) => page.#callbacks.delete(id),
      performance: { now: () => this.now },
      setTimeout() {},
      reportError: (error) => this.errors.push(error),
      console: { warn: (text) => this.warnings.push(text) },
      fixedRaf: options,
      ...scope,
    };
    vm.createContext(this.window);
    vm.runInContext("Date.now = () => 1e12 + Math.floor(performance.now())", this.window);
    script.runInContext(this.window);
  }

  /** How many callbacks wait for a refresh. */
  get waiting() {
    return this.#callbacks.size;
  }

  wait(time) {
    this.now = Math.max(this.now, time);
  }

  refresh(time) {
    this.wait(time);
    const running = this.#callbacks;
    this.#callbacks = new Map();
    for (const [id, callback] of running) {
      running.delete(id);
      callback(time);
    }
  }

  /** The same where promises are carried out between callbacks, as browsers do. */
  async refreshWithPromises(time) {
    this.wait(time);
    const running = [...this.#callbacks.values()];
    this.#callbacks = new Map();
    for (const callback of running) {
      callback(time);
      await new Promise(setImmediate);
    }
  }

  /** Refreshes at a rate for some seconds, from 100 ms on, as browsers round them. */
  play(rate, seconds, wobble = () => 0) {
    for (let index = 0; index <= rate * seconds; index++) this.refresh(Math.round((100 + (index * 1000) / rate + wobble()) * 10) / 10);
  }

  /** Begins a loop; answers with the times of its frames. */
  loop() {
    const times = [];
    const { window } = this;
    window.requestAnimationFrame(function frame(time) {
      times.push(time);
      window.requestAnimationFrame(frame);
    });
    return times;
  }
}

function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

test("the script is at most 3 kB gzipped", () => {
  assert.ok(gzipSync(code, { level: 9 }).length <= 3000);
});

test("a loop runs at its rate on displays of every rate, and its times are those of exact frames", () => {
  for (const [rate, [numer, denom]] of [["60", [60n, 1n]], ["59.94", [5994n, 100n]], ["60000/1001", [60000n, 1001n]], ["30", [30n, 1n]], ["144", [144n, 1n]]]) {
    for (const display of [30, 50, 59, 60, 75, 90, 120, 144, 165, 240, 360]) {
      if (display * 5 < Number(numer / denom)) continue;
      const page = new Page({ rate });
      const times = page.loop();
      page.play(display, 20);
      const expected = 20 * Number(numer) / Number(denom);
      assert.ok(Math.abs(times.length - 1 - expected) <= 1, `${times.length - 1} frames of ${expected} at ${rate} on ${display} Hz`);
      for (const [index, time] of times.entries()) {
        const [whole, rest] = [100_000_000n * numer + BigInt(index) * 1_000_000_000n * denom, numer];
        const exact = Number(whole / rest) + Number(whole % rest) / Number(rest);
        assert.ok(Math.abs(time * 1e6 - exact) <= exact * 2 ** -51, `frame ${index} at ${time}`);
      }
    }
  }
});

test("a page that begins its loop again at every resize keeps its rate, and its frames' times", () => {
  for (const display of [30, 60, 75, 144, 240]) {
    const page = new Page({ rate: 60 });
    const { window } = page;
    const times = [];
    let id;
    const frame = (time) => {
      times.push(time);
      id = window.requestAnimationFrame(frame);
    };
    frame();
    times.length = 0;
    const next = random(display);
    for (let index = 0; index <= display * 10; index++) {
      const time = Math.round((100 + (index * 1000) / display) * 10) / 10;
      // Dragging an edge: none, one or some resizes before a refresh, some of them before the time of the last one is over.
      for (let resizes = Math.floor(next() * 4); resizes > 0 && index > 0; resizes--) {
        page.wait(time - next() * (500 / display));
        window.cancelAnimationFrame(id);
        id = window.requestAnimationFrame(frame);
      }
      page.refresh(time);
    }
    assert.ok(Math.abs(times.length - 601) <= 1, `${times.length} frames at ${display} Hz`);
    for (const [index, time] of times.entries()) assert.ok(Math.abs(time - (100 + (index * 1000) / 60)) < 1e-9, `frame ${index} at ${time}`);
  }
});

test("as many frames are granted as the timestep has steps that the conformance script holds", () => {
  const next = random(7);
  for (let round = 0; round < 40; round++) {
    const [numer, denom] = [1 + Math.floor(next() * 200_000), 1 + Math.floor(next() * 1001)];
    if (numer / denom > 400 || numer / denom < 20) continue;
    const page = new Page({ rate: `${numer}/${denom}`, cap: 20 });
    const timestep = new FixedTimestep([numer, denom]);
    const times = page.loop();
    let time = 100;
    for (let refreshes = 0; refreshes < 500; refreshes++) {
      page.refresh(time);
      const { tick } = timestep.beginFrame(time);
      // The first refresh has a frame, and frames begin at most a quarter early.
      const ahead = times.length - 1 - tick;
      assert.ok(ahead === 0 || ahead === 1, `${times.length - 1} frames and ${tick} steps at ${numer}/${denom}`);
      time += next() * 40;
    }
  }
});

test("a frame runs before the first refresh that is not more than a quarter of it early, or half of it if the rate is steady", () => {
  const next = random(3);
  const page = new Page();
  const times = page.loop();
  const period = 1000 / 60;
  const counts = [];
  let time = 100;
  for (let refreshes = 0; refreshes < 5000; refreshes++) {
    const before = times.length;
    page.refresh(time);
    counts.push(times.length - before);
    const isSteady = counts.length > 9 && counts.slice(-10).filter((count) => count !== counts.at(-1)).length <= 1;
    const last = times.at(-1);
    if (counts.at(-1) > 0) assert.ok(last - time <= period / (isSteady ? 2 : 4) + 1e-6, `frame of ${last} at ${time}`);
    assert.ok(last + period > time - 1e-6, `the frame after ${last} is due at ${time}`);
    time += next() * 30;
  }
});

test("uneven times of refreshes bring one frame each at the display's own rate, and two at half of it", () => {
  for (const [display, wanted] of [[60, 1], [59.95, 1], [60.05, 1], [30, 2], [20, 3]]) {
    const page = new Page();
    const times = page.loop();
    const next = random(5);
    const counts = new Map();
    let before = 0;
    for (let index = 0; index < 60 * 60; index++) {
      // The sum of twelve, less six, is nearly Gaussian.
      const noise = Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, -6);
      page.refresh(100 + (index * 1000) / display + (index > 0 ? 1.5 * noise : 0));
      const count = times.length - before;
      before = times.length;
      if (index > 5) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    // A display that is a little off has a frame more or less as often as it must.
    const others = [...counts].filter(([count]) => count !== wanted).reduce((sum, [, times]) => sum + times, 0);
    const owed = Math.abs(3600 - (3600 / display) * 60) * (display > 50 ? 1 : 0);
    assert.ok(others <= owed + 2, `${display} Hz: ${JSON.stringify([...counts])}`);
  }
});

test("random scripts of requests, cancellations and errors run as on a display of that rate", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const real = run(seed, (window, page, time) => page.refresh(time));
    // The model: as the standard says, a list for the frame and a list that is made meanwhile; its frames are those that ran.
    const model = runModel(seed, real.frames);
    assert.deepEqual(real.log, model, `seed ${seed}`);
  }

  function actions(seed, log, request, cancel) {
    const next = random(seed);
    const ids = [];
    let made = 0;
    const act = (name) => (time) => {
      log.push(`${name} ${time.toFixed(6)}`);
      for (let count = Math.floor(next() * 3); count > 0; count--) ids.push(request(act(made++)));
      if (next() < 0.3 && ids.length > 0) cancel(ids[Math.floor(next() * ids.length)]);
      if (next() < 0.05) throw new Error(`${name}`);
    };
    return { begin: () => ids.push(request(act(made++)), request(act(made++))) };
  }

  function run(seed, refresh) {
    const page = new Page({ rate: 60 });
    const { window } = page;
    const log = [];
    const { begin } = actions(seed, log, window.requestAnimationFrame, window.cancelAnimationFrame);
    const frames = page.loop();
    begin();
    const next = random(seed + 1000);
    let time = 100;
    for (let count = 0; count < 120; count++) {
      refresh(window, page, time);
      if (log.length > 3000) break;
      time += 2 + next() * 40;
    }
    return { log: log.concat(page.errors.map(String)), frames };
  }

  function runModel(seed, frames) {
    const log = [];
    const errors = [];
    let list = [];
    let last = 0;
    const { begin } = actions(seed, log, (callback) => (list.push({ id: ++last, callback }), last), (id) => {
      for (const entry of [...list, ...current]) if (entry.id === id) entry.cancelled = true;
    });
    let current = [];
    begin();
    for (const time of frames) {
      current = list;
      list = [];
      for (const entry of current) {
        if (entry.cancelled) continue;
        try {
          entry.callback(time);
        } catch (error) {
          errors.push(String(error));
        }
      }
    }
    return log.concat(errors);
  }
});

test("an error in a callback is reported and stops no other one", () => {
  const page = new Page();
  const times = page.loop();
  page.window.requestAnimationFrame(() => {
    throw new Error("broken");
  });
  const others = page.loop();
  page.play(60, 1);
  assert.deepEqual(page.errors.map((error) => error.message), ["broken"]);
  assert.ok(times.length === 61 && others.length === 61);
});

test("a loop that waits for its frames by promises runs at its rate too", async () => {
  const page = new Page();
  let frames = 0;
  page.window.go = () => frames++;
  vm.runInContext("(async () => { for (;;) { await new Promise(requestAnimationFrame); await null; go(); } })()", page.window);
  for (let index = 0; index <= 30; index++) await page.refreshWithPromises(100 + (index * 1000) / 30);
  assert.ok(Math.abs(frames - 61) <= 1, `${frames} frames`);
});

test("frames beyond the cap are dropped, and after a pause there is one", () => {
  const page = new Page({ cap: 3 });
  const times = page.loop();
  page.refresh(100);
  page.refresh(300);
  assert.equal(times.length, 1 + 3);
  assert.ok(times.at(-1) > 299 && times.at(-1) <= 305);
  page.refresh(60_000);
  assert.equal(times.length, 1 + 3 + 1);
  assert.ok(times.at(-1) > 59_983 && times.at(-1) <= 60_005);
});

test("a page that requests no frame is idle, and its next frame is the next refresh", () => {
  const page = new Page();
  let time;
  page.window.requestAnimationFrame(() => {});
  page.refresh(100);
  page.refresh(120);
  page.refresh(140);
  assert.equal(page.waiting, 0);
  page.wait(5000);
  page.window.requestAnimationFrame((now) => (time = now));
  page.refresh(5020);
  assert.ok(time > 5000 && time <= 5020, `${time}`);
});

test("a cancelled callback does not run, also in the current frame", () => {
  const page = new Page();
  const { window } = page;
  const ran = [];
  const first = window.requestAnimationFrame(() => {
    ran.push("first");
    window.cancelAnimationFrame(second);
  });
  const second = window.requestAnimationFrame(() => ran.push("second"));
  const third = window.requestAnimationFrame(() => ran.push("third"));
  window.cancelAnimationFrame(third);
  page.play(60, 1);
  assert.deepEqual(ran, ["first"]);
  assert.notEqual(first, second);
  assert.throws(() => window.requestAnimationFrame(null), TypeError);
});

test("clocks return the time of frames if the option is set, never go back, and advance for a page that polls them", () => {
  for (const display of [30, 60, 144]) {
    const page = new Page({ clock: "" });
    const { window } = page;
    let last = 0;
    const check = () => {
      const now = window.performance.now();
      assert.ok(now >= last, `${now} after ${last}`);
      assert.ok(Math.abs(now - page.now) < 40);
      last = now;
      return now;
    };
    const frames = [];
    window.requestAnimationFrame(function frame(time) {
      frames.push([time, check(), vm.runInContext("new Date().getTime() - Date.now()", window)]);
      window.requestAnimationFrame(frame);
    });
    for (let index = 0; index < display; index++) {
      const time = 100 + (index * 1000) / display;
      page.wait(time - 1);
      check();
      page.refresh(time);
      check();
    }
    for (const [time, now, difference] of frames) assert.deepEqual([now, difference], [time, 0]);
    const begun = page.now;
    let asked = 0;
    while (window.performance.now() < begun + 50 && asked++ < 30_000) page.now += 0.01;
    // After ten thousand reads without a frame time goes on; the last frame has read it, too.
    assert.ok(asked >= 9_990 && asked <= 10_000, `${asked}`);
  }
});

test("it works in a worker, in a page without requestAnimationFrame, and twice in a page", () => {
  const worker = new Page({}, { document: undefined });
  const times = worker.loop();
  worker.play(144, 1);
  assert.ok(Math.abs(times.length - 61) <= 1);
  new Page({}, { requestAnimationFrame: undefined });
  const twice = worker.window.requestAnimationFrame;
  script.runInContext(worker.window);
  assert.equal(worker.window.requestAnimationFrame, twice);
  const attributes = new Page(undefined, { document: { currentScript: { dataset: { rate: "30" } } } });
  const slow = attributes.loop();
  attributes.play(60, 2);
  assert.ok(Math.abs(slow.length - 61) <= 1);
});

test("a rate or cap that is no number is named in the console, and 60 and 5 are used", () => {
  for (const rate of ["30fps", "1e2", "0", "60/0", "-5"]) {
    const page = new Page({ rate });
    const times = page.loop();
    page.play(60, 1);
    assert.equal(times.length, 61, rate);
    assert.deepEqual(page.warnings, [`fixed-raf: the rate "${rate}" is no number of frames a second, such as 60, 59.94 or 60000/1001; 60 is used`]);
  }
  const page = new Page({ cap: "many" });
  page.loop();
  assert.match(page.warnings.join(), /the cap "many" is no whole number of frames/);
  for (const rate of ["60", 30, "59.94", "60000/1001", undefined]) assert.deepEqual(new Page({ rate }).warnings, []);
});

test("what a browser takes for an id cancels its callback, and nothing else does", () => {
  const same = [(id) => id, String, (id) => id + 0.9, (id) => `${id}.5`, (id) => ` ${id} `, (id) => id + 2 ** 32, (id) => id - 2 ** 32, (id) => ({ valueOf: () => id }), (id) => [id]];
  const others = [(id) => id + 1, (id) => id - 0.1, (id) => -id, () => NaN, () => undefined, () => null, () => "x", () => Infinity, (id) => `${id}x`, () => ({})];
  for (const when of ["before its frame", "in its frame"]) {
    for (const [ids, wanted] of [[same, 0], [others, 1]]) {
      for (const idOf of ids) {
        const page = new Page();
        const { window } = page;
        let runs = 0;
        let id;
        if (when === "in its frame") window.requestAnimationFrame(() => window.cancelAnimationFrame(idOf(id)));
        id = window.requestAnimationFrame(() => runs++);
        if (when !== "in its frame") window.cancelAnimationFrame(idOf(id));
        page.play(60, 0.1);
        assert.equal(runs, wanted, `${String(idOf)}, ${when}`);
      }
    }
  }
});

test("with data-clock, a page's own Date.now is the page's, and every constructor of dates has the frame's time", () => {
  const page = new Page({ clock: "" });
  page.loop();
  page.play(30, 1);
  const run = (code) => vm.runInContext(code, page.window);
  assert.ok(run("Date === new Date().constructor && Date === Date.prototype.constructor && new Date() instanceof Date"));
  assert.deepEqual(run("Object.keys(Date.prototype)").length, 0);
  page.now += 7;
  const times = run(`[Date.now(), new Date().getTime(), new (new Date().constructor)().getTime(), new (new Date(5).constructor)().getTime(),
    new (class extends Date {})().getTime(), Reflect.construct(Date, []).getTime(), new Date(new Date()).getTime()]`);
  for (const time of times) assert.equal(time, times[0]);
  assert.equal(run("new Date(5).getTime() + Date.UTC(1970, 0, 1) + Date.parse('1970-01-01')"), 5);
  assert.equal(run("const before = Date.now; Date.now = () => before() - 5000; new Date().getTime() - Date.now()"), 5000);
  assert.equal(run("Date.now = () => 5; Date.now()"), 5);
});

test("a game that limits itself by the clock gets advice on a display that shows half of its frames", () => {
  for (const [display, options, warnings] of [[30, {}, 1], [60, {}, 0], [30, { clock: "" }, 0]]) {
    const page = new Page(options);
    const { window } = page;
    let [runs, last] = [0, -Infinity];
    const frame = () => {
      window.requestAnimationFrame(frame);
      const now = window.performance.now();
      if (now - last < 15) return;
      last = now;
      runs++;
    };
    frame();
    page.play(display, 2);
    assert.equal(page.warnings.length, warnings, `${display} Hz: ${page.warnings}`);
    if (warnings > 0) assert.match(page.warnings[0], /reads performance\.now\(\) in its frames; .* add data-clock/);
    else assert.ok(runs >= 118, `${runs} runs at ${display} Hz`);
  }
});

test("advice comes once, however the page reads the clock, and the clock that the page has put there stays", () => {
  const ways = {
    "read anew": ({ performance, Date }) => [() => performance.now(), () => Date.now()],
    kept: ({ performance, Date }) => [performance.now.bind(performance), Date.now],
    "its own": (window) => {
      const { performance, Date } = window;
      const [now, date] = [performance.now, Date.now];
      performance.now = () => now() - 5000;
      Date.now = () => date() - 5000;
      return [() => performance.now() + 5000, () => Date.now() + 5000];
    },
  };
  for (const [name, read] of Object.entries(ways)) {
    for (const reads of [[0], [1], [0, 1], [1, 0]]) {
      for (const when of ["before the first frame", "in a frame"]) {
        const page = new Page();
        const { window } = page;
        window.Date = vm.runInContext("Date", window);
        let clocks = when === "in a frame" ? undefined : read(window);
        let functions;
        let frames = 0;
        window.requestAnimationFrame(function frame() {
          window.requestAnimationFrame(frame);
          if (++frames === 20) clocks ??= read(window);
          if (clocks === undefined) return;
          functions ??= [window.performance.now, window.Date.now];
          for (const which of reads) assert.ok(clocks[which]() > 0);
          assert.ok(Math.abs(clocks[0]() - page.now) < 1e-6, name);
          assert.deepEqual([window.performance.now, window.Date.now], functions, name);
        });
        page.play(30, 10);
        assert.deepEqual(page.errors, []);
        assert.equal(page.warnings.length, 1, `${name}, ${reads}, ${when}: ${page.warnings.length} lines`);
      }
    }
  }
});

test("with data-clock, time goes on while the page is hidden and has no refreshes", () => {
  const page = new Page({ clock: "" });
  page.loop();
  page.play(60, 1);
  const { performance, Date } = page.window;
  const before = [performance.now(), Date.now()];
  page.wait(page.now + 10_000);
  page.now = before[0] + 10_000;
  assert.ok(performance.now() - before[0] > 9_000);
  assert.ok(Date.now() - before[1] > 9_000);
  const hidden = performance.now();
  page.play(60, 1);
  assert.ok(performance.now() >= hidden);
});
