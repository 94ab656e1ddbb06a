// A whole loop: frames, steps, keys and pointer, pauses.

import { fail, objectOf, refuse } from "./errors.js";
import { DisplayClock } from "./display-clock.js";
import type { DeltaFilter } from "./filter.js";
import { InputBuffer } from "./input.js";
import { type Ratio, rate } from "./time.js";
import { FixedTimestep } from "./timestep.js";

/** A source of events: an element, or the window. */
export interface LoopTarget {
  readonly addEventListener: (...parts: never[]) => void;
}

/** The styles of elements whose touches are a game's: how many running loops read them, and what was set before. */
const touched = new WeakMap<CSSStyleDeclaration, { loops: number; readonly before: string }>();

const TOUCH = "touch-action";

/**
 * Keeps the browser from what it does with the input of a target by default, which ends a press by "pointercancel" or swallows its end: a
 * touch scrolls and zooms, a long one and the right button open a menu, a press drags a picture, the middle button scrolls, and those at the
 * side of a mouse leave the page. A rule of the page's for `touch-action` that is `!important` stays in force. Returns what gives all of it
 * back.
 */
function refuseDefaults(target: EventTarget): () => void {
  const refuseDefault = (event: Event): void => {
    const isFirst = /^mouse/.test(event.type) && (event as MouseEvent).button === 0;
    if (!isFirst && !isOfPage(event)) event.preventDefault();
  };
  const names = ["contextmenu", "dragstart", "mousedown", "mouseup"];
  for (const name of names) target.addEventListener(name, refuseDefault);
  const give = (): void => names.forEach((name) => target.removeEventListener(name, refuseDefault));

  const style = (target as Partial<HTMLElement>).style ?? document.documentElement?.style;
  if (style === undefined || style.getPropertyPriority(TOUCH) !== "") return give;
  const taken = touched.get(style) ?? { loops: 0, before: style.getPropertyValue(TOUCH) };
  touched.set(style, taken);
  if (taken.loops++ === 0) style.setProperty(TOUCH, "none");
  return () => {
    give();
    if (--taken.loops > 0) return;
    touched.delete(style);
    // What the page has set meanwhile is the page's.
    if (style.getPropertyValue(TOUCH) === "none") style.setProperty(TOUCH, taken.before);
  };
}

/** The functions that a loop calls, and its options. */
export interface LoopOptions {
  /** Runs a step of the game: `dt` seconds, always the same, with the input of the step. */
  readonly step: (dt: number, input: InputBuffer, tick: number) => void;
  /** Draws between the state before the last step (0) and the state after it (1). If the user prefers reduced motion, leave out
   * shaking and flying effects. */
  readonly draw: (alpha: number, reducesMotion: boolean) => void;
  /** Steps a second; 60 unless set. */
  readonly rate?: Ratio;
  /** Smooths frame times: a `DisplayClock` unless set; `null` for none. */
  readonly filter?: DeltaFilter | null;
  /** The source of pointer and wheel events; the window unless set. Keys are always from the window. */
  readonly target?: LoopTarget;
  /**
   * What happens while the page is hidden, when browsers send no frames: a pause, unless this is `"run"`. Then steps run on, at the times of
   * a timer in a worker, and nothing is drawn: for games with several players. With a content security policy it needs
   * `worker-src blob:`.
   */
  readonly whenHidden?: "pause" | "run";
}

/**
 * Calls back every few milliseconds by a timer in a worker, which a browser does not slow down while the page is hidden, as it does with
 * those of pages. Returns what ends it.
 */
function tickInWorker(milliseconds: number, tick: () => void): () => void {
  const address = URL.createObjectURL(new Blob([`setInterval(() => postMessage(0), ${milliseconds})`], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.onmessage = tick;
  return () => {
    worker.terminate();
    URL.revokeObjectURL(address);
  };
}

/** The keys that scroll a page. */
const SCROLLING = /^(Arrow(Up|Down|Left|Right)|Space|Page(Up|Down)|Home|End)$/;

/** The button of each bit of `event.buttons`. */
const BUTTONS = [0, 2, 1, 3, 4, 5];

/** The bit of a button in `event.buttons`. */
const bitOf = (button: number): number => 1 << Math.max(0, BUTTONS.indexOf(button));

/** The element at which an event arrived, also within a component with a tree of its own. */
const source = (event: Event): Partial<HTMLElement> => (event.composedPath()[0] ?? {}) as Partial<HTMLElement>;

/** The key of Apple's keyboards with ⌘, and of others with the window. */
const META = /^(Meta|OS)/;

/** Whether a key goes into a text field or another control that takes keys. */
function isTyping(event: Event): boolean {
  const { tagName, isContentEditable } = source(event);
  return isContentEditable === true || /^(INPUT|TEXTAREA|SELECT)$/.test(tagName ?? "");
}

/** Whether the page itself says what dragging an element or a click on it does. */
const isOfPage = (event: Event): boolean =>
  isTyping(event) || event.composedPath().some((part) => (part as Element).tagName === "A" || (part as Element).getAttribute?.("draggable") === "true");

/**
 * A loop, which is stopped until `start` is called. Keys have the names of `event.code`, buttons are `"Pointer0"`, `"Pointer1"` …. Each
 * finger is `"Pointer0"`, too: it is held while any finger is down, and each touch is a press. Keys that are typed into a field of the
 * page are not input. Keys that scroll do not scroll while the game has the focus: `target`, or without one the page itself.
 *
 * While it runs, `target` or the page keeps its touches (`touch-action: none`, unless a rule of the page's is `!important`), opens no menu,
 * and is not dragged, except fields, links and what is `draggable="true"`.
 */
export class Loop {
  /** Its timestep: its settings, and the lost time. */
  readonly timestep: FixedTimestep;
  #input = new InputBuffer();
  #isPaused = false;
  readonly #options: LoopOptions;
  readonly #motion = matchMedia("(prefers-reduced-motion: reduce)");
  #request = 0;
  /** The milliseconds between frames while the page is hidden: a step, or a little more. */
  readonly #period: number;
  /** Ends the timer by which the loop runs on while the page is hidden. */
  #endTicks: (() => void) | undefined;
  #listening: AbortController | undefined;
  /** Lets the browser do again what it does with input by default. */
  #giveDefaults: (() => void) | undefined;
  /** The keys of the keyboard that are down. */
  readonly #keys = new Set<string>();
  /** The buttons that each pointer holds down, as bits of `event.buttons`. */
  readonly #pointers = new Map<number, number>();

  /** @internal */
  constructor(options: LoopOptions) {
    this.#options = objectOf(options, "the loop");
    for (const name of ["step", "draw"] as const) if (typeof options[name] !== "function") refuse("Type", name, options[name], "a function");
    const { whenHidden = "pause" } = options;
    if (whenHidden !== "pause" && whenHidden !== "run") refuse("Type", "whenHidden", whenHidden, '"pause" or "run"');
    if (typeof (options.target ?? window).addEventListener !== "function") refuse("Type", "target", options.target, "an element, or the window");
    const steps = options.rate ?? 60;
    const { numer, denom } = rate(steps, "the rate");
    this.#period = Math.max(4, (1000 * denom) / numer);
    this.timestep = new FixedTimestep(steps, options.filter === null ? {} : { filter: options.filter ?? new DisplayClock() });
  }

  /** Whether the loop is running. An error in `step` or `draw` stops it. */
  get isRunning(): boolean {
    return this.#listening !== undefined;
  }

  /** Starts the loop, or continues after `stop`. Keys and buttons that were held before are up. */
  start(): void {
    if (this.isRunning) return;
    this.#input = new InputBuffer();
    this.#pointers.clear();
    this.#keys.clear();
    this.#listen();
    this.#pauseOrResume();
    this.#request = requestAnimationFrame(this.#frame);
  }

  /** Stops the loop. Input while it is stopped reaches no step. */
  stop(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    this.#giveDefaults?.();
    this.#giveDefaults = undefined;
    cancelAnimationFrame(this.#request);
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

  /** Its input, for events of other sources: `game.input.press("GamepadA", performance.now())`. A new one after each `start`. */
  get input(): InputBuffer {
    return this.#input;
  }

  /** Time passes only while it runs in a visible page and is not paused. */
  #pauseOrResume(): void {
    const runsHidden = document.hidden && this.#options.whenHidden === "run";
    if (this.#isPaused || (document.hidden && !runsHidden) || !this.isRunning) this.timestep.pause();
    else this.timestep.resume();
    const ticks = runsHidden && this.isRunning;
    if (ticks === (this.#endTicks !== undefined)) return;
    this.#endTicks?.();
    this.#endTicks = ticks ? tickInWorker(this.#period, () => this.#play(performance.now(), false)) : undefined;
  }

  #frame = (now: number): void => {
    const listening = this.#listening;
    if (this.#play(now, true) && this.#listening === listening) this.#request = requestAnimationFrame(this.#frame);
  };

  /** Runs the steps that are due, and draws. Whether it was not stopped meanwhile. */
  #play(now: number, draws: boolean): boolean {
    const { step, draw } = this.#options;
    const input = this.#input;
    const listening = this.#listening;
    let isDone = false;
    try {
      const frame = this.timestep.beginFrame(now);
      input.beginFrame(this.timestep);
      for (const { tick, dt } of frame) {
        input.beginStep(tick);
        step(dt, input, tick);
        // A step that stops the loop and starts it again has begun another run, with frames of its own.
        if (this.#listening !== listening) return false;
      }
      if (draws) draw(frame.alpha, this.#motion.matches);
      isDone = true;
    } finally {
      if (!isDone && this.#listening === listening) this.stop();
    }
    return this.#listening === listening;
  }

  /** Records which buttons of a pointer went up, and with `takesPresses` which went down. */
  #hold({ pointerId, timeStamp }: PointerEvent, buttons: number, takesPresses: boolean): void {
    const pointers = this.#pointers;
    const before = pointers.get(pointerId) ?? 0;
    const after = takesPresses ? buttons : buttons & before;
    if (after) pointers.set(pointerId, after);
    else pointers.delete(pointerId);
    BUTTONS.forEach((button, at) => {
      const bit = 1 << at;
      if (((before ^ after) & bit) === 0) return;
      const key = `Pointer${button}`;
      const isHeldByOthers = [...pointers].some(([id, held]) => id !== pointerId && held & bit);
      if (isHeldByOthers === ((after & bit) !== 0)) this.#input.release(key, timeStamp);
      if (after & bit) this.#input.press(key, timeStamp);
    });
  }

  #listen(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const input = this.#input;
    const on = <Name extends keyof WindowEventMap>(from: EventTarget, name: Name, run: (event: WindowEventMap[Name]) => void, passive = true): void =>
      from.addEventListener(name, run as EventListener, { signal, passive });
    const target = (this.#options.target ?? window) as EventTarget;
    const hasFocus = (event: Event): boolean =>
      this.#options.target ? event.composedPath().includes(target) : /^(BODY|HTML)$/.test(source(event).tagName ?? "");
    on(window, "keydown", (event) => {
      if (isTyping(event)) return;
      if (SCROLLING.test(event.code) && hasFocus(event) && !(event.altKey || event.ctrlKey || event.metaKey)) event.preventDefault();
      if (event.repeat) return;
      input.press(event.code, event.timeStamp);
      this.#keys.add(event.code);
    }, false);
    on(window, "keyup", ({ code, timeStamp }) => {
      input.release(code, timeStamp);
      this.#keys.delete(code);
      // macOS sends no "keyup" of a key that goes up while ⌘ is held.
      if (!META.test(code)) return;
      for (const key of this.#keys) input.release(key, timeStamp);
      this.#keys.clear();
    });
    on(window, "blur", (event) => {
      this.#pointers.clear();
      this.#keys.clear();
      input.releaseAll(event.timeStamp);
    });
    const held = (event: PointerEvent): number => this.#pointers.get(event.pointerId) ?? 0;
    // Browsers send "pointerdown" for the first button and "pointerup" after the last one; other buttons change in "pointermove".
    on(target, "pointerdown", (event) => this.#hold(event, held(event) | bitOf(event.button), true));
    on(target, "pointermove", (event) => {
      input.motion(event.movementX, event.movementY, event.timeStamp);
      if (event.button >= 0) this.#hold(event, event.buttons ?? held(event), true);
    });
    on(window, "pointermove", (event) => this.#hold(event, event.buttons ?? held(event), false));
    on(window, "pointerup", (event) => this.#hold(event, held(event) & ~bitOf(event.button), false));
    on(window, "pointercancel", (event) => this.#hold(event, 0, false));
    on(target, "wheel", (event) => input.wheel(event.deltaX, event.deltaY, event.timeStamp));
    this.#giveDefaults = refuseDefaults(target);
    document.addEventListener("visibilitychange", () => this.#pauseOrResume(), { signal });
  }
}

/** Creates a loop: `loop({ step, draw }).start()`. */
export function loop(options: LoopOptions): Loop {
  if (typeof document === "undefined" || typeof requestAnimationFrame === "undefined") fail("Missing", "loop", "a loop needs a page; in a worker, call FixedTimestep's beginFrame");
  return new Loop(options);
}
