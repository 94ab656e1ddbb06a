// A whole loop: frames, steps, keys and pointer, pauses.

import { fail, objectOf, refuse } from "./errors.js";
import { DisplayClock } from "./display-clock.js";
import type { DeltaFilter, Following } from "./filter.js";
import { InputBuffer } from "./input.js";
import { isOfElement, isTyping, leaveButton, wouldScroll } from "./keys.js";
import { type Ratio, rate } from "./time.js";
import { FixedTimestep } from "./timestep.js";

/** A source of events: an element, or the window. */
export interface LoopTarget {
  readonly addEventListener: (...parts: never[]) => void;
}

/** The styles of elements whose touches are a game's: how many running loops read them, and what was set before. */
const touched = new WeakMap<CSSStyleDeclaration, { loops: number; readonly before: string }>();

/**
 * Keeps the browser from what it does with the input of a target by default, which ends a press by "pointercancel" or swallows its end: a
 * touch scrolls and zooms, a long one and the right button open a menu, a press drags a picture, the middle button scrolls, and those at the
 * side of a mouse leave the page. A rule of the page's for `touch-action` that is `!important` stays in force. The signal gives all of it
 * back.
 */
function refuseDefaults(target: EventTarget, signal: AbortSignal): void {
  const refuseDefault = (event: Event): void => {
    const isFirst = /^mouse/.test(event.type) && (event as MouseEvent).button === 0;
    if (!isFirst && !isOfPage(event)) event.preventDefault();
  };
  for (const name of ["contextmenu", "dragstart", "mousedown", "mouseup"]) target.addEventListener(name, refuseDefault, { signal });

  const style = (target as Partial<HTMLElement>).style ?? document.documentElement?.style;
  if (!style || style.getPropertyPriority("touch-action")) return;
  const taken = touched.get(style) ?? { loops: 0, before: style.touchAction };
  touched.set(style, taken);
  taken.loops++;
  style.touchAction = "none";
  signal.addEventListener("abort", () => {
    if (--taken.loops) return;
    touched.delete(style);
    // What the page has set meanwhile is the page's.
    if (style.touchAction === "none") style.touchAction = taken.before;
  });
}

/** What a function may return that ends when it returns: all but a promise. */
export type NoPromise = void | undefined | null | boolean | number | bigint | string | symbol | (object & { readonly then?: never });

/** The functions that a loop calls, and its options. */
export interface LoopOptions {
  /** Runs a step of the game: `dt` seconds, always the same, with the input of the step. It must not be async. */
  readonly step: (dt: number, input: InputBuffer, tick: number) => NoPromise;
  /** Draws between the state before the last step (0) and the state after it (1). If the user prefers reduced motion, leave out
   * shaking and flying effects. */
  readonly draw: (alpha: number, reducesMotion: boolean) => NoPromise;
  /** Runs at the beginning of each frame, before its steps: reads what is no event, such as a gamepad. */
  readonly begin?: (input: InputBuffer, now: number) => NoPromise;
  /** The most frames a second; each refresh of the display has one unless set. */
  readonly maxFps?: Ratio;
  /** Requests the next frame, in place of the window's `requestAnimationFrame`: from the session of a headset, or a test. It is called
   * with the same function until the loop is stopped. */
  readonly requestFrame?: (callback: (now: number) => void) => unknown;
  /** Steps a second; 60 unless set. */
  readonly rate?: Ratio;
  /** Smooths frame times: a `DisplayClock` unless set; `null` for none. */
  readonly filter?: DeltaFilter | null;
  /** Takes the time from a clock of `evenstep/follow` in place of the filter: a song's, or the display's. Events get their times by it. */
  readonly clock?: Following;
  /** The source of pointer and wheel events; the window unless set. Keys are always from the window. */
  readonly target?: LoopTarget;
  /** Whether the wheel over `target` does not scroll the page; it does unless set. */
  readonly keepsWheel?: boolean;
  /**
   * What happens while the page is hidden, when browsers send no frames: a pause, unless this is `"run"`. Then steps run on, at the times of
   * a timer in a worker, and nothing is drawn: for games with several players. With a content security policy it needs
   * `worker-src data:`.
   */
  readonly whenHidden?: "pause" | "run";
}

/** The bit of each button in `event.buttons`. */
const BITS = [1, 4, 2, 8, 16, 32];

/** The key of Apple's keyboards with ⌘, and of others with the window. */
const META = /^(Meta|OS)/;

/** Whether the page itself says what dragging an element or a click on it does. */
const isOfPage = (event: Event): boolean =>
  isTyping(event) || event.composedPath().some((part) => (part as Element).matches?.("a,[draggable=true]"));

/**
 * A loop, which is stopped until `start` is called. Keys have the names of `event.code`, buttons are `"Pointer0"`, `"Pointer1"` …. Each
 * finger is `"Pointer0"`, too: it is held while any finger is down, and each touch is a press.
 *
 * A key on which the focused element acts itself is the element's: all keys in a field for text, Space and Enter on a button, arrows on a
 * slider. All other keys are the game's, and do not scroll the page.
 *
 * While it runs, `target` or the page keeps its touches (`touch-action: none`, unless a rule of the page's is `!important`), opens no menu,
 * and is not dragged, except fields, links and what is `draggable="true"`.
 */
export class Loop {
  /** Its timestep: its settings, and the lost time. Unless `setMaxDelta` sets another limit or a policy keeps time, a frame has the steps of
   * 100 ms at most, so that a machine that is too slow for them goes on drawing. */
  readonly timestep: FixedTimestep;
  #input = new InputBuffer();
  #isPaused = false;
  readonly #options: LoopOptions;
  readonly #motion = matchMedia("(prefers-reduced-motion: reduce)");
  #fps = 0;
  /** The least number of milliseconds between frames, by `maxFps`. */
  readonly #leastPeriod: number = 0;
  /** Sends messages by which the loop runs on while the page is hidden. */
  #ticker: Worker | undefined;
  /** Of the present run, from `start` to `stop`. */
  #run: AbortController | undefined;

  /** @internal */
  constructor(options: LoopOptions) {
    this.#options = objectOf(options, "the loop");
    const { step, draw, begin = draw, requestFrame = draw, whenHidden = "pause", rate: steps = 60, clock, filter = clock ? null : new DisplayClock(), target = window, maxFps } = options;
    for (const [name, run] of Object.entries({ step, draw, begin, requestFrame })) if (typeof run !== "function") refuse("Type", name, run, "a function");
    if (!["pause", "run"].includes(whenHidden)) refuse("Type", "whenHidden", whenHidden, '"pause" or "run"');
    if (typeof target?.addEventListener !== "function") refuse("Type", "target", target, "an element, or the window");
    if (maxFps !== undefined) {
      const { numer, denom } = rate(maxFps, "maxFps");
      this.#leastPeriod = (1000 * denom) / numer;
    }
    this.timestep = new FixedTimestep(steps, { clock, filter });
    // A machine that is too slow for the steps goes on drawing, about ten frames a second in slow motion.
    if (!clock) this.timestep.setDropDelta(100_000_000n);
  }

  /** Whether the loop is running. An error in `step` or `draw` stops it. */
  get isRunning(): boolean {
    return !!this.#run;
  }

  /** The frames drawn in a second, of the last half of a second; 0 before. */
  get fps(): number {
    return this.#fps;
  }

  /** Starts the loop, or continues after `stop`. Keys and buttons that were held before are up. The focus leaves a button that has it, on
   * which the next Space would be a click. */
  start(): void {
    if (this.isRunning) return;
    leaveButton();
    const { clock, requestFrame = requestAnimationFrame } = this.#options;
    this.#input = new InputBuffer(1024, { clock });
    this.#run = new AbortController();
    const { signal } = this.#run;
    this.#listen(signal);
    this.#pauseOrResume();
    const period = this.#leastPeriod;
    let [due, counted, drawn] = [0, 0, 0];
    const onFrame = (now: number): void => {
      if (signal.aborted) return;
      // A time long before belongs to another clock.
      if (now >= due - period / 16 || now < due - 2 * period) {
        // After a late frame the next one comes earlier. One that is a little early is let pass, again and again on a display a little faster.
        due = Math.min(Math.max(due, now - period), now + period / 32) + period;
        if (now - counted >= 500) {
          this.#fps = (1000 * drawn) / (now - counted);
          [counted, drawn] = [now, 0];
        }
        drawn++;
        if (!this.#play(now, true)) return;
      }
      requestFrame(onFrame);
    };
    requestFrame(onFrame);
  }

  /** Stops the loop. Input while it is stopped reaches no step. */
  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.#pauseOrResume();
  }

  /** Begins a pause with the next frame: frames are drawn, and have no steps but single ones. Presses and motion of a pause reach no step. */
  pause(): void {
    this.#isPaused = true;
    this.#pauseOrResume();
  }

  /** Ends a pause. Steps that were kept back before it are run. */
  resume(): void {
    this.#isPaused = false;
    this.#pauseOrResume();
  }

  /** Ends a pause and drops the steps that were kept back before it. Without a pause, for a load that was noticed too late to pause: it also
   * drops the time since the last frame. */
  resumeDropping(): void {
    this.#isPaused = false;
    this.timestep.resumeDropping();
    this.#pauseOrResume();
  }

  /** Whether it is paused, from `pause` to `resume`. A hidden page, too, runs no steps, but counts only while it is hidden. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Grants one more step in the next frame, also in a pause. */
  stepOnce(): void {
    this.timestep.stepOnce();
  }

  /** Sets how fast simulated time runs: 0.5 is half as fast. Slow motion has fewer steps, not shorter ones. */
  setTimeScale(scale: Ratio): void {
    this.timestep.setTimeScale(scale);
  }

  /** Its input, for events of other sources: `game.input.press("GamepadA")`. A new one after each `start`. */
  get input(): InputBuffer {
    return this.#input;
  }

  /** Time passes only while it runs in a visible page and is not paused. */
  #pauseOrResume(): void {
    const { isRunning } = this;
    const { hidden } = document;
    const runsHidden = hidden && isRunning && this.#options.whenHidden === "run";
    if (!isRunning || this.#isPaused || (hidden && !runsHidden)) this.timestep.pause();
    else this.timestep.resume();
    this.#ticker?.terminate();
    this.#ticker = undefined;
    if (!runsHidden) return;
    // A browser does not slow down the timers of workers while the page is hidden, as it does with those of pages.
    const period = Math.max(4, 1000 * this.timestep.frame.dt);
    this.#ticker = new Worker(`data:text/javascript,setInterval(()=>postMessage(0),${period})`);
    this.#ticker.onmessage = () => this.#play(performance.now(), false);
  }

  /** Runs the steps that are due, and draws. Whether it was not stopped meanwhile. */
  #play(now: number, draws: boolean): boolean {
    const { step, draw, begin } = this.#options;
    const input = this.#input;
    // A step that stops the loop and starts it again has begun another run, with frames of its own.
    const { signal } = this.#run!;
    try {
      begin?.(input, now);
      if (signal.aborted) return false;
      const frame = this.timestep.beginFrame(now);
      input.beginFrame(this.timestep);
      for (const { tick, dt } of frame) {
        input.beginStep(tick);
        if ((step(dt, input, tick) as { then?: unknown } | undefined)?.then) fail("Type", "step", "it must not be async");
        if (signal.aborted) return false;
      }
      if (draws) draw(frame.alpha, this.#motion.matches);
    } catch (error) {
      if (!signal.aborted) this.stop();
      throw error;
    }
    return !signal.aborted;
  }

  /** Listens to keys, pointers and the wheel. */
  #listen(signal: AbortSignal): void {
    const input = this.#input;
    const { target = window, keepsWheel } = this.#options as { target?: EventTarget; keepsWheel?: boolean };
    const on = <Name extends keyof WindowEventMap>(from: EventTarget, name: Name, run: (event: WindowEventMap[Name]) => void, capture = false, passive = true): void =>
      from.addEventListener(name, run as EventListener, { signal, passive, capture });

    /** The keys of the keyboard that are down. */
    const keys = new Set<string>();
    /** The buttons that each pointer holds down, as bits of `event.buttons`. */
    const pointers = new Map<number, number>();
    /** Records which of its buttons a pointer keeps down, and which it presses. */
    const hold = ({ pointerId, timeStamp }: PointerEvent, kept: number, pressed: number): void => {
      const before = pointers.get(pointerId) ?? 0;
      const after = (before & kept) | pressed;
      pointers.delete(pointerId);
      BITS.forEach((bit, button) => {
        if (!((before ^ after) & bit)) return;
        const key = `Pointer${button}`;
        const isHeldByOthers = [...pointers.values()].some((held) => held & bit);
        if (isHeldByOthers === !!(after & bit)) input.releaseAt(timeStamp, key);
        if (after & bit) input.pressAt(timeStamp, key);
      });
      if (after) pointers.set(pointerId, after);
    };

    // A page may keep presses from the game by `stopPropagation`. What scrolls or ends does so all the same.
    on(window, "keydown", (event) => {
      if (wouldScroll(event)) event.preventDefault();
    }, true, false);
    on(window, "keydown", (event) => {
      if (event.repeat || isOfElement(event)) return;
      input.pressAt(event.timeStamp, event.code);
      keys.add(event.code);
    });
    on(window, "keyup", ({ code, timeStamp }) => {
      input.releaseAt(timeStamp, code);
      keys.delete(code);
      // macOS sends no "keyup" of a key that goes up while ⌘ is held.
      if (!META.test(code)) return;
      for (const key of keys) input.releaseAt(timeStamp, key);
      keys.clear();
    }, true);
    on(window, "blur", ({ timeStamp }) => {
      pointers.clear();
      keys.clear();
      input.releaseAllAt(timeStamp);
    });
    for (const name of ["pointermove", "pointerup", "pointercancel"] as const) on(window, name, (event) => hold(event, event.buttons, 0), true);
    // Browsers send "pointerdown" for the first button; other buttons change in "pointermove". Without a change the button is -1.
    const press = (event: PointerEvent): void => hold(event, -1, BITS[event.button]! & event.buttons);
    on(target, "pointerdown", press);
    on(target, "pointermove", (event) => {
      input.motionAt(event.timeStamp, event.movementX, event.movementY);
      press(event);
    });
    on(target, "wheel", (event) => {
      if (keepsWheel && !event.ctrlKey && !isOfPage(event)) event.preventDefault();
      input.wheelAt(event.timeStamp, event.deltaX, event.deltaY);
    }, false, !keepsWheel);
    refuseDefaults(target, signal);
    document.addEventListener("visibilitychange", () => this.#pauseOrResume(), { signal });
  }
}

/** Creates a loop: `loop({ step, draw }).start()`. */
export function loop(options: LoopOptions): Loop {
  if (typeof document === "undefined") fail("Missing", "loop", "it needs a page; in a worker, call FixedTimestep");
  return new Loop(options);
}
