// A script that makes a page's requestAnimationFrame run at a fixed rate that does not depend on the display.
//
// It imitates a display that refreshes `rate` times a second. The refreshes of the real display decide only when the callbacks of
// these frames run. It is a classic script in one file without imports, for pages that cannot be changed.

interface Options {
  /** Frames a second: `60`, `59.94` or `60000/1001`. */
  rate?: number | string;
  /** The most frames before a refresh. */
  cap?: number | string;
  /** Whether `performance.now`, `Date.now` and `new Date()` return the time of the frame too. */
  clock?: unknown;
}

interface Scope {
  fixedRaf?: Options & { installed?: boolean };
  webkitRequestAnimationFrame?: typeof requestAnimationFrame;
  webkitCancelAnimationFrame?: typeof cancelAnimationFrame;
  reportError?: (error: unknown) => void;
}

((scope: typeof globalThis & Scope) => {
  const options: Options & { installed?: boolean } = { ...scope.document?.currentScript?.dataset, ...scope.fixedRaf };
  const request = scope.requestAnimationFrame?.bind(scope);
  if (!request || options.installed) return;
  scope.fixedRaf = { ...options, installed: true };

  const complain = (text: string) => scope.console?.warn(`fixed-raf: ${text}`);
  const rate = `${options.rate ?? 60}`.trim();
  let [, whole = "0", decimals = "", below = "1"] = /^(\d+)(?:\.(\d+)|\/(\d+))?$/.exec(rate) ?? [];
  if (!(BigInt(whole + decimals) * BigInt(below))) {
    complain(`the rate "${rate}" is no number of frames a second, such as 60, 59.94 or 60000/1001; 60 is used`);
    [whole, decimals, below] = ["60", "", "1"];
  }
  const numer = BigInt(whole + decimals);
  const denom = BigInt(below) * 10n ** BigInt(decimals.length);
  const most = Math.trunc(Number(options.cap ?? 5));
  if (!(most >= 1 && most < Infinity)) complain(`the cap "${options.cap}" is no whole number of frames from 1; 5 is used`);
  const cap = BigInt(most >= 1 && most < Infinity ? most : 5);

  // Time is counted in units of 1/(10⁹ × numerator) s, of which a nanosecond and a frame are both whole numbers.
  const frame = 1_000_000_000n * denom;
  // Frames begin an eighth early, so that at common rates no refresh falls on the boundary between two frames.
  const early = frame / 8n;
  const units = (millis: number) => BigInt(Math.round(millis * 1e6)) * numer;
  const millis = (time: bigint) => (Number(time / numer) + Number(time % numer) / Number(numer)) / 1e6;
  const floor = (time: bigint) => (time >= 0n ? time / frame : -((frame - 1n - time) / frame));

  /** After as many milliseconds without a refresh the page was hidden or blocked. */
  const HIDDEN = 250;

  const now = scope.performance.now.bind(scope.performance);
  const dateNow = Date.now;
  const wait = scope.setTimeout.bind(scope);

  /** After as many refreshes with the same number of frames, the display counts as one at the same rate or a fraction of it. */
  const STEADY = 8;

  /** The time of frame 0, the time of the first refresh. */
  let origin: bigint | undefined;
  /** The next frame. */
  let next = 0n;
  let lastRefresh = 0n;
  /** The usual number of frames before a refresh, and the number of refreshes in succession with as many. */
  let framesPerRefresh = 0n;
  let alike = 0;
  /** The number of frames still to run before the current refresh. */
  let due = 0n;
  let hadFrames = false;
  let hadWork = false;
  let isAwaited = false;
  let isRunning = false;

  /** A frame's time on the page's clock, in milliseconds. */
  const timeOf = (index: bigint) => millis((origin ?? 0n) + index * frame);

  let callbacks = new Map<number, FrameRequestCallback>();
  let lastId = 0;

  /**
   * Requests a refresh. Each frame before it is a separate callback for the browser, which runs promises between callbacks, so a loop
   * that waits for a frame with `await` continues in time.
   */
  function awaitRefresh(): void {
    if (isAwaited) return;
    isAwaited = true;
    if (origin !== undefined && !isRunning) {
      // No frame was requested. The missed frames are not run later.
      lastRefresh = units(now());
      alike = 0;
      const begun = floor(lastRefresh - origin) + 1n;
      if (begun > next) next = begun;
    }
    request!(onRefresh);
    for (let others = cap - 1n; others > 0n; others--) request!(others > 1n ? onFrame : onLastFrame);
  }

  function onRefresh(refreshed: number): void {
    let time = units(refreshed);
    isAwaited = false;
    isRunning = true;
    hadWork = false;
    origin ??= lastRefresh = time;
    if (time < lastRefresh) time = lastRefresh;
    const behind = time + early - origin - next * frame;
    due = floor(behind) + 1n;
    // Near the boundary between two frames, a display at the same rate or a fraction of it keeps its number of frames, because the
    // times of refreshes jitter. If it has kept it for long, a frame may begin earlier, but never later.
    const slack = alike >= STEADY ? 3n * early : early;
    const rest = behind - framesPerRefresh * frame;
    if (framesPerRefresh > 0n && alike > 1 && rest >= -frame - slack && rest < early) due = framesPerRefresh;
    if (due < 0n) due = 0n;
    if (due === framesPerRefresh) {
      alike++;
    } else if (alike >= 2 * STEADY) {
      // Once: a display that is a little off has a frame more or less now and then.
      alike = STEADY;
    } else {
      alike = 1;
      framesPerRefresh = due;
    }
    hadFrames = due > 0n;
    if (due > cap) {
      const most = time - lastRefresh > units(HIDDEN) ? 1n : cap;
      next += due - most;
      due = most;
    }
    lastRefresh = time;
    if (cap > 1n) onFrame();
    else onLastFrame();
  }

  function onFrame(): void {
    if (due <= 0n) return;
    due--;
    runFrame();
  }

  function onLastFrame(): void {
    onFrame();
    // A frame without callbacks means that the page is idle. Until then a promise may still request the next frame.
    if (callbacks.size > 0 || hadWork || !hadFrames) awaitRefresh();
    isRunning = false;
  }

  function runFrame(): void {
    const at = timeOf(next++);
    hadWork ||= callbacks.size > 0;
    lastTime = Math.max(lastTime, at);
    reads = 0;
    // If a callback cancels another one, it is removed from the map that is being run.
    underWay = callbacks;
    callbacks = new Map();
    for (const [id, callback] of underWay) {
      underWay.delete(id);
      try {
        callback.call(scope, at);
      } catch (error) {
        if (scope.reportError) scope.reportError(error);
        else wait(() => { throw error; });
      }
    }
  }
  let underWay = callbacks;

  scope.requestAnimationFrame = function requestAnimationFrame(callback) {
    // The browser throws for an argument that is not a function.
    if (typeof callback !== "function") return request(callback);
    callbacks.set(++lastId, callback);
    awaitRefresh();
    return lastId;
  };
  scope.cancelAnimationFrame = function cancelAnimationFrame(id) {
    // Like a browser, which takes "5", 5.9 and 2³² + 5 for 5.
    id >>>= 0;
    callbacks.delete(id);
    underWay.delete(id);
  };
  if (scope.webkitRequestAnimationFrame) {
    scope.webkitRequestAnimationFrame = scope.requestAnimationFrame;
    scope.webkitCancelAnimationFrame = scope.cancelAnimationFrame;
  }

  /** The latest time returned to the page, and the number of calls since the last frame began. */
  let lastTime = 0;
  let reads = 0;
  if (options.clock !== undefined && options.clock !== false && options.clock !== "false") {
    const begin = dateNow() - now();
    const read = () => {
      const real = now();
      // Between two frames time stops at the boundary. It advances for a page that polls the clock in a loop.
      const isStill = origin === undefined || !(isRunning || isAwaited) || ++reads > 10_000;
      // In a hidden page there are no refreshes, but timers and messages.
      if (isStill || (!isRunning && real > millis(lastRefresh) + HIDDEN)) return (lastTime = Math.max(lastTime, real));
      return isRunning ? lastTime : (lastTime = Math.max(lastTime, Math.min(real, timeOf(next))));
    };
    scope.performance.now = read;
    const date = () => Math.floor(begin + read());
    scope.Date = new Proxy(Date, {
      construct: (target, args, made) => Reflect.construct(target, args.length ? args : [date()], made) as object,
      apply: () => new scope.Date().toString(),
    });
    // A page may put its own in its place. A date's constructor makes dates of the same clock.
    scope.Date.now = date;
    scope.Date.prototype.constructor = scope.Date;
  } else {
    // A game that limits its own rate by the clock skips the second of two frames before one refresh. It may have kept these functions,
    // or put its own in their place, so they stay where they are.
    let isSilent = false;
    const listen = (clock: { now(): number }, name: string, read: () => number) => {
      clock.now = () => {
        if (isRunning && framesPerRefresh > 1n && !isSilent) {
          isSilent = true;
          complain(`the page reads ${name} in its frames; if it runs at a wrong speed, add data-clock to the script`);
        }
        return read();
      };
    };
    listen(scope.performance, "performance.now()", now);
    listen(Date, "Date.now()", dateNow);
  }
})(globalThis as typeof globalThis & Scope);

export {};
