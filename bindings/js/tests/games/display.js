// Replaces the browser's clock, timers and refreshes by a display that a test controls. It runs before a page's scripts.

(() => {
  const EPOCH = 1_700_000_000_000;
  let now = 0;
  let lastId = 0;
  let callbacks = new Map();
  const timers = new Map();
  const failures = [];

  let seed = 12345;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  performance.now = () => now;
  const RealDate = Date;
  window.Date = class Date extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(EPOCH + now);
      else super(...parts);
    }
    static now() {
      return Math.floor(EPOCH + now);
    }
  };

  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    callbacks.set(++lastId, callback);
    return lastId;
  };
  window.cancelAnimationFrame = (id) => callbacks.delete(id);
  window.webkitRequestAnimationFrame = window.requestAnimationFrame;

  function add(run, delay, repeats, parts) {
    const wait = Math.max(repeats ? 1 : 0, Number(delay) || 0);
    timers.set(++lastId, { run: typeof run === "function" ? run : () => (0, eval)(run), parts, at: now + wait, every: repeats ? wait : 0 });
    return lastId;
  }
  window.setTimeout = (run, delay, ...parts) => add(run, delay, false, parts);
  window.setInterval = (run, delay, ...parts) => add(run, delay, true, parts);
  window.clearTimeout = window.clearInterval = (id) => timers.delete(id);

  function attempt(run, ...parts) {
    try {
      run.apply(window, parts);
    } catch (error) {
      failures.push(String(error?.stack ?? error));
    }
  }
  addEventListener("error", (event) => failures.push(event.message));

  // Chromium tells a page where the mouse is some time after it was laid out, though nobody moves it.
  for (const move of ["mousemove", "mouseover", "mouseenter", "pointermove", "pointerover", "pointerenter"]) {
    addEventListener(move, (event) => event.stopImmediatePropagation(), true);
  }

  const channel = new MessageChannel();
  const task = () => new Promise((done) => {
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });

  async function runTimers(until) {
    for (let most = 1000; most > 0; most--) {
      let first;
      for (const entry of timers) if (entry[1].at <= until && !(first?.[1].at <= entry[1].at)) first = entry;
      if (first === undefined) return;
      const [id, timer] = first;
      now = Math.max(now, timer.at);
      if (timer.every > 0) timer.at += timer.every;
      else timers.delete(id);
      attempt(timer.run, ...timer.parts);
      await null;
    }
  }

  window.testDisplay = {
    failures,
    /** Lets the page load. Time passes only for its timers. */
    async settle() {
      // Browsers tell of sizes when they draw, which is late on a busy machine.
      for (let frames = 2; frames > 0; frames--) await new Promise(nextFrame);
      for (let turns = 20; turns > 0; turns--) {
        await runTimers(now);
        await task();
      }
    },
    /** Refreshes at these times. */
    async run(times) {
      for (const time of times) {
        await runTimers(time);
        now = Math.max(now, time);
        const running = callbacks;
        callbacks = new Map();
        for (const [id, callback] of running) {
          running.delete(id);
          attempt(callback, time);
          // The work that a browser does between two callbacks.
          for (let jobs = 8; jobs > 0; jobs--) await null;
        }
        await task();
      }
    },
  };

  // Counts frames and reads the picture in a loop like the page's own.
  const scratch = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function hash() {
    let sum = 0x811c9dc5;
    const mix = (word) => (sum = Math.imul(sum ^ word, 0x01000193) ^ (sum >>> 15));
    const canvases = [...document.querySelectorAll("canvas")].filter((canvas) => canvas.width > 150 && canvas.height > 100);
    for (const canvas of canvases) {
      scratch.canvas.width = canvas.width;
      scratch.canvas.height = canvas.height;
      scratch.drawImage(canvas, 0, 0);
      for (const word of new Uint32Array(scratch.getImageData(0, 0, canvas.width, canvas.height).data.buffer)) mix(word);
    }
    if (canvases.length === 0) for (const letter of document.body.innerHTML) mix(letter.codePointAt(0));
    return (sum >>> 0).toString(16);
  }
  window.testProbe = {
    frames: 0,
    pictures: {},
    /** Begins to count frames, and reads the picture at some. */
    begin(looks) {
      const isLook = new Set(looks);
      const loop = () => {
        const frame = testProbe.frames++;
        if (isLook.has(frame)) testProbe.pictures[frame] = hash();
        requestAnimationFrame(loop);
      };
      requestAnimationFrame(loop);
    },
  };
})();
