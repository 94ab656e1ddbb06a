// A whole loop: frames, steps, keys and pointer, pauses.

import { fail, objectOf, refuse } from "./errors.js";
import type { DeltaFilter } from "./filter.js";
import { InputBuffer } from "./input.js";
import { Local } from "./local.js";
import type { Ratio } from "./time.js";
import { FixedTimestep } from "./timestep.js";

/** A source of events: an element, or the window. */
export interface LoopTarget {
  readonly addEventListener: (...parts: never[]) => void;
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
  /** Smooths frame times: `new Filters("displayClock")` of `evenstep/display`. */
  readonly filter?: DeltaFilter;
  /** The source of pointer and wheel events; the window unless set. Keys are always from the window. */
  readonly target?: LoopTarget;
}

/** A loop, which is stopped until `start` is called. Keys have the names of `event.code`, buttons are `"Pointer0"`, `"Pointer1"` …. */
export class Loop extends Local {
  /** Its timestep: for slow motion, and for the lost time. */
  readonly timestep: FixedTimestep;
  readonly #input = new InputBuffer();
  readonly #options: LoopOptions;
  readonly #motion = matchMedia("(prefers-reduced-motion: reduce)");
  #request = 0;
  #listening: AbortController | undefined;

  /** @internal */
  constructor(options: LoopOptions) {
    super();
    this.#options = objectOf(options, "the loop");
    for (const name of ["step", "draw"] as const) if (typeof options[name] !== "function") refuse("Type", name, options[name], "a function");
    this.timestep = new FixedTimestep(options.rate ?? 60, options.filter && { filter: options.filter });
  }

  /** Whether the loop is running. An error in `step` or `draw` stops it. */
  get isRunning(): boolean {
    return this.#listening !== undefined;
  }

  /** Starts the loop, or continues after `stop`. */
  start(): void {
    if (this.isRunning) return;
    this.#listen();
    if (!document.hidden) this.timestep.resume();
    this.#request = requestAnimationFrame(this.#frame);
  }

  /** Stops the loop. Input while it is stopped reaches no step. */
  stop(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    cancelAnimationFrame(this.#request);
    this.timestep.suspend();
  }

  #frame = (now: number): void => {
    const { step, draw } = this.#options;
    const input = this.#input;
    let isDone = false;
    try {
      const frame = this.timestep.beginFrame(now);
      input.beginFrame(this.timestep);
      for (const { tick, dt } of frame) {
        input.beginStep(tick);
        step(dt, input, tick);
        if (!this.isRunning) return;
      }
      draw(frame.alpha, this.#motion.matches);
      isDone = true;
    } finally {
      if (!isDone) this.stop();
    }
    if (this.isRunning) this.#request = requestAnimationFrame(this.#frame);
  };

  #listen(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const input = this.#input;
    const on = <Name extends keyof WindowEventMap>(target: EventTarget, name: Name, run: (event: WindowEventMap[Name]) => void): void =>
      target.addEventListener(name, run as EventListener, { signal, passive: true });
    const target = (this.#options.target ?? window) as EventTarget;
    on(window, "keydown", (event) => event.repeat || input.press(event.code, event.timeStamp));
    on(window, "keyup", (event) => input.release(event.code, event.timeStamp));
    on(window, "blur", (event) => input.releaseAll(event.timeStamp));
    on(target, "pointerdown", (event) => input.press(`Pointer${event.button}`, event.timeStamp));
    on(window, "pointerup", (event) => input.release(`Pointer${event.button}`, event.timeStamp));
    on(window, "pointercancel", (event) => input.release("Pointer0", event.timeStamp));
    on(target, "pointermove", (event) => input.motion(event.movementX, event.movementY, event.timeStamp));
    on(target, "wheel", (event) => input.wheel(event.deltaX, event.deltaY, event.timeStamp));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.timestep.suspend() : this.timestep.resume()), { signal });
  }
}

/** Creates a loop: `loop({ step, draw }).start()`. */
export function loop(options: LoopOptions): Loop {
  if (typeof requestAnimationFrame === "undefined") fail("Missing", "loop", "a loop needs a page; in a worker, call FixedTimestep's beginFrame");
  return new Loop(options);
}
