// A recording of frames, in a page whose refreshes and reports come from the test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EvenstepError } from "evenstep";
import { recordFrames } from "evenstep/recording";

const HEADER = "CPUStartTime,MsBetweenAppStart,MsCPUBusy,DisplayLatency,MsAllInputToPhotonLatency";

/** What a recording needs of a page: refreshes, and what Chromium reports, in the shape in which it does. */
class Page {
  hidden = false;
  observers = [];
  #now = 0;
  #callbacks = new Map();
  #last = 0;

  constructor(types = ["event", "long-animation-frame"]) {
    const page = this;
    globalThis.document = Object.assign(new EventTarget(), { hidden: false });
    Object.defineProperty(globalThis, "performance", { configurable: true, value: { now: () => this.#now } });
    globalThis.requestAnimationFrame = (callback) => (this.#callbacks.set(++this.#last, callback), this.#last);
    globalThis.cancelAnimationFrame = (id) => this.#callbacks.delete(id);
    globalThis.PerformanceObserver = class {
      static supportedEntryTypes = types;
      waiting = [];
      constructor(take) {
        this.take = take;
        page.observers.push(this);
      }
      observe(options) {
        if (!types.includes(options.type)) throw new TypeError(options.type);
        this.type = options.type;
      }
      takeRecords() {
        return this.waiting.splice(0);
      }
      disconnect() {
        page.observers.splice(page.observers.indexOf(this), 1);
      }
    };
  }

  get waiting() {
    return this.#callbacks.size;
  }

  refresh(time, calledAt = time) {
    this.#now = calledAt;
    const running = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of running.values()) callback(time);
  }

  /** A report waits for its call, as the browser's do. */
  report(entryType, entry) {
    for (const observer of this.observers) if (observer.type === entryType) observer.waiting.push({ entryType, ...entry });
  }

  tell() {
    for (const observer of this.observers) {
      const entries = observer.takeRecords();
      if (entries.length > 0) observer.take({ getEntries: () => entries });
    }
  }

  hide(hidden) {
    document.hidden = hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }
}

const rows = (recording) => {
  const [header, ...rows] = recording.toString().trimEnd().split("\n");
  assert.equal(header, HEADER);
  assert.equal(rows.length, recording.frames);
  return rows;
};

// As Chromium 156 reported a frame with 40 ms of a listener and one with 80 ms of a callback.
const LISTENER = { startTime: 524.9, duration: 44.1, renderStart: 565.3, styleAndLayoutStart: 568.4, firstUIEventTimestamp: 523.5, blockingDuration: 0, paintTime: 568.7, presentationTime: 572 };
const CALLBACK = { startTime: 391.6, duration: 82.2, renderStart: 391.7, styleAndLayoutStart: 473.4, firstUIEventTimestamp: 0, blockingDuration: 32, paintTime: 473.9, presentationTime: 480 };

test("each frame lasts to the next, and the last one is left out", () => {
  const page = new Page();
  const recording = recordFrames();
  assert.deepEqual(rows(recording), []);
  for (const time of [58.1, 91.5, 108.2, 124.800000000003]) page.refresh(time);
  assert.deepEqual(rows(recording), ["58.1,33.4,NA,NA,NA", "91.5,16.7,NA,NA,NA", "108.2,16.6,NA,NA,NA"]);
});

test("a frame has the presentation time that the browser reports, and the longest input latency", () => {
  const page = new Page();
  const recording = recordFrames();
  page.refresh(374.8, 375);
  page.refresh(391.5, 391.8);
  page.refresh(474.8, 475);
  page.refresh(524.8, 565.4);
  page.refresh(558.1, 569.5);
  page.report("long-animation-frame", CALLBACK);
  page.report("long-animation-frame", LISTENER);
  const event = { name: "pointerdown", startTime: 523.5, processingStart: 525, processingEnd: 565.1, duration: 48, cancelable: true, interactionId: 7 };
  page.report("event", event);
  page.report("event", { ...event, name: "pointerover", startTime: 541, duration: 32, interactionId: 0 });
  page.tell();
  assert.deepEqual(rows(recording), [
    "374.8,16.7,NA,NA,NA",
    "391.5,83.3,82.4,88.5,NA",
    "474.8,50,NA,NA,NA",
    "524.8,33.3,43.9,47.2,48",
  ]);
});

test("reports that are of no frame, or do not say when it was presented, change nothing", () => {
  const page = new Page();
  const recording = recordFrames();
  for (const time of [374.8, 391.8, 475]) page.refresh(time);
  const { presentationTime: _, paintTime: __, ...older } = CALLBACK;
  page.report("long-animation-frame", older);
  page.report("long-animation-frame", { ...CALLBACK, presentationTime: null });
  page.report("long-animation-frame", { ...CALLBACK, renderStart: 0 });
  page.report("long-animation-frame", { ...CALLBACK, startTime: 9000, renderStart: 9000.1 });
  page.report("long-animation-frame", { ...CALLBACK, startTime: 100, renderStart: 100.1 });
  page.report("event", { processingEnd: 9000, duration: 48 });
  page.tell();
  assert.deepEqual(rows(recording), ["374.8,17,NA,NA,NA", "391.8,83.2,NA,NA,NA"]);
});

test("a browser that reports nothing is recorded by its frames alone", () => {
  const page = new Page([]);
  const recording = recordFrames();
  assert.equal(page.observers.length, 0);
  for (const time of [0, 16, 33]) page.refresh(time);
  assert.deepEqual(rows(recording), ["0,16,NA,NA,NA", "16,17,NA,NA,NA"]);
  delete globalThis.PerformanceObserver;
  assert.equal(recordFrames().frames, 0);
});

test("the time of a hidden page belongs to no frame, and a time that goes back counts as the last frame's", () => {
  const page = new Page();
  const recording = recordFrames();
  for (const time of [0, 16]) page.refresh(time);
  page.hide(true);
  page.hide(false);
  for (const time of [5000, 5016, 5015.9, 5033]) page.refresh(time);
  assert.deepEqual(rows(recording), ["0,16,NA,NA,NA", "5000,16,NA,NA,NA", "5016,0,NA,NA,NA", "5016,17,NA,NA,NA"]);
});

test("after the end no frame is added, and what the browser has reported until then is", async () => {
  const page = new Page();
  const recording = recordFrames();
  for (const time of [391.5, 474.8]) page.refresh(time, time + 0.3);
  page.report("long-animation-frame", CALLBACK);
  recording.stop();
  recording.stop();
  assert.equal(page.waiting, 0);
  assert.equal(page.observers.length, 0);
  page.refresh(500);
  const text = `${HEADER}\n391.5,83.3,82.4,88.5,NA\n`;
  assert.equal(recording.toString(), text);
  assert.equal(await new Blob([recording]).text(), text);
});

test("only the newest frames are kept", () => {
  const page = new Page();
  const recording = recordFrames({ most: 3 });
  for (let frame = 0; frame <= 100; frame++) {
    page.refresh(frame * 10);
    assert.ok(recording.frames <= 3);
  }
  assert.deepEqual(rows(recording), ["970,10,NA,NA,NA", "980,10,NA,NA,NA", "990,10,NA,NA,NA"]);
});

test("invalid arguments and a missing requestAnimationFrame throw errors", () => {
  new Page();
  const is = (code) => (error) => error instanceof EvenstepError && error.code === code;
  assert.throws(() => recordFrames({ most: 0 }), is("Range"));
  assert.throws(() => recordFrames(5), is("Type"));
  delete globalThis.requestAnimationFrame;
  assert.throws(() => recordFrames(), is("Missing"));
});
