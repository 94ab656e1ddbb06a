// Keys, buttons, pointer and wheel with their times: each event reaches exactly one step.

import {
  INPUT_BEGIN_FRAME,
  INPUT_BEGIN_STEP,
  INPUT_BEGIN_TASK,
  INPUT_COUNTS,
  INPUT_EVENT,
  INPUT_IS_DOWN,
  INPUT_IS_HELD,
  INPUT_MOTION,
  INPUT_MOVED,
  INPUT_PRESS,
  INPUT_PRESSES,
  INPUT_RELEASE,
  INPUT_RELEASE_ALL,
  INPUT_WAS_RELEASED,
  INPUT_WHEEL,
  OBJECTS_INPUT,
} from "./calls.js";
import { check, finite, objectOf, whole } from "./errors.js";
import { Handle, held } from "./handle.js";
import { Schedule } from "./schedule.js";
import { tickOf } from "./settings.js";
import { type Time, parts, split } from "./time.js";
import { FixedTimestep } from "./timestep.js";
import { wasm } from "./steps_wasm.js";

/** A key or button: whatever you call it, such as `event.code`. */
export type Key = string | number;

/**
 * An event, as it reaches its step. Its time is in milliseconds. "hold" is what is left of a press in a pause: the key is held, and was
 * not pressed.
 */
export type InputEvent =
  | { readonly kind: "press" | "release" | "hold"; readonly key: Key; readonly time: number }
  | { readonly kind: "motion" | "wheel"; readonly x: number; readonly y: number; readonly time: number }
  | { readonly kind: "releaseAll"; readonly time: number };

/** What became of events that did not come as they should. */
export interface InputCounts {
  /** Events that wait for their step. */
  readonly waiting: number;
  /** Events that came after the frame of their time; they went to the next step. */
  readonly late: number;
  /** Events that came after a later one, and went before it. */
  readonly reordered: number;
  /** Events for which there was no room. Unless an error was thrown, their state was kept. */
  readonly refused: number;
  /** Events of pauses, of which no more than their state was kept. */
  readonly paused: number;
}

/** What can be set from the beginning. */
export interface InputOptions {
  /**
   * Keeps what happens in a pause for the first step after it. A full buffer then takes nothing, and throws an error whose code
   * is `Full`.
   */
  readonly keepsPauses?: boolean;
}

/**
 * An input buffer. Push events as they arrive, with their times of the clock that `beginFrame` is told; ask in each step what is
 * held, was pressed and has moved. A tap that is shorter than a step is seen once.
 *
 * Presses, motion and turns of the wheel in a pause, while simulated time stands still, reach no step. What is held is known after
 * it all the same: keys that were released in the pause are up. The same is kept of what finds no room, and motion adds up, so that
 * no release is lost.
 */
export class InputBuffer extends Handle {
  /** Keys have numbers there. */
  readonly #numbers = new Map<Key, number>();
  readonly #keys: Key[] = [];

  /** With room for `capacity` events between two steps. */
  constructor(capacity = 1024, options: InputOptions = {}) {
    const { keepsPauses = false } = objectOf(options, "the options");
    super(wasm, OBJECTS_INPUT, whole(capacity, "the capacity", 1, 1 << 20), Number(keepsPauses));
  }

  #key(key: Key, what: number, time: Time, name: string): void {
    const object = held(this);
    split(time, "the time");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#keys.push(key) - 1;
      this.#numbers.set(key, number);
    }
    check(wasm.call(object, what, parts.millis, parts.nanos, number), name);
  }

  /** A key or button went down. Leave out repeats, `event.repeat`. */
  press(key: Key, time: Time): void {
    this.#key(key, INPUT_PRESS, time, "InputBuffer.press");
  }

  /** A key or button went up. */
  release(key: Key, time: Time): void {
    this.#key(key, INPUT_RELEASE, time, "InputBuffer.release");
  }

  /** Everything that is held went up: when the window loses the focus. */
  releaseAll(time: Time): void {
    check(wasm.timed(held(this), INPUT_RELEASE_ALL, time, "the time"), "InputBuffer.releaseAll");
  }

  /** A pointer moved to the right and down, by `event.movementX` and `event.movementY`. */
  motion(x: number, y: number, time: Time): void {
    this.#move(INPUT_MOTION, x, y, time, "InputBuffer.motion");
  }

  /** A wheel turned, by `event.deltaX` and `event.deltaY`. */
  wheel(x: number, y: number, time: Time): void {
    this.#move(INPUT_WHEEL, x, y, time, "InputBuffer.wheel");
  }

  #move(what: number, x: number, y: number, time: Time, name: string): void {
    const object = held(this);
    split(time, "the time");
    check(wasm.call(object, what, finite(x, "x"), finite(y, "y"), parts.millis, parts.nanos), name);
  }

  /** Gives each event its step: once a frame, after the timestep's `beginFrame` and before its steps. */
  beginFrame(timestep: FixedTimestep): void {
    const why = "call it once a frame, after the timestep's beginFrame";
    check(wasm.call(held(this), INPUT_BEGIN_FRAME, held(timestep, FixedTimestep)), "InputBuffer.beginFrame", why);
  }

  /** The same for a task of a schedule. Each task that takes input has a buffer of its own. */
  beginTask(schedule: Schedule, task: number): void {
    whole(task, "the task", 0, 1023);
    const why = "there is no such task, or it was not called once a frame, after the schedule's beginFrame";
    check(wasm.call(held(this), INPUT_BEGIN_TASK, held(schedule, Schedule), task), "InputBuffer.beginTask", why);
  }

  /** Begins a step and takes its events. What the methods below answer is then that of this step. */
  beginStep(step: number | { readonly tick: number }): void {
    check(wasm.call(held(this), INPUT_BEGIN_STEP, tickOf(step)), "InputBuffer.beginStep", "call beginFrame first");
  }

  /** The events of this step, oldest first. */
  *events(): Generator<InputEvent, undefined> {
    for (let index = 0; wasm.call(held(this), INPUT_EVENT, index) === 0; index++) {
      const [kind, time] = [wasm.numberAt(0), wasm.numberAt(4)];
      const key = this.#keys[wasm.numberAt(1)]!;
      if (kind < 3 || kind === 6) yield { kind: kind === 1 ? "press" : kind === 2 ? "release" : "hold", key, time };
      else if (kind < 5) yield { kind: kind === 3 ? "motion" : "wheel", x: wasm.numberAt(2), y: wasm.numberAt(3), time };
      else yield { kind: "releaseAll", time };
    }
    return undefined;
  }

  #ask(what: number, key: Key): number {
    const object = held(this);
    const number = this.#numbers.get(key);
    if (number === undefined) return 0;
    wasm.call(object, what, number);
    return wasm.numberAt(0);
  }

  #moved(slot: number): number {
    wasm.call(held(this), INPUT_MOVED);
    return wasm.numberAt(slot);
  }

  /** Whether a key is down at the end of the step. */
  isHeld(key: Key): boolean {
    return this.#ask(INPUT_IS_HELD, key) !== 0;
  }

  /**
   * Whether a key is down at the end of the step or went down in it: what to ask for a control that acts as long as it is held, so
   * that a tap shorter than a step acts in one.
   */
  isDown(key: Key): boolean {
    return this.#ask(INPUT_IS_DOWN, key) !== 0;
  }

  /** How often a key went down in the step. */
  presses(key: Key): number {
    return this.#ask(INPUT_PRESSES, key);
  }

  /** Whether a key went up in the step, also if it is down again. */
  wasReleased(key: Key): boolean {
    return this.#ask(INPUT_WAS_RELEASED, key) !== 0;
  }

  /** By how much the pointer moved to the right in the step. Over all steps it adds up to what arrived. */
  get movedX(): number {
    return this.#moved(0);
  }

  /** By how much it moved down. */
  get movedY(): number {
    return this.#moved(1);
  }

  /** By how much the wheel turned to the right in the step. */
  get turnedX(): number {
    return this.#moved(2);
  }

  /** By how much it turned down. */
  get turnedY(): number {
    return this.#moved(3);
  }

  /** How many events wait, and what became of those that did not come as they should. */
  get counts(): InputCounts {
    wasm.call(held(this), INPUT_COUNTS);
    const [waiting, late, reordered, refused, paused] = [0, 1, 2, 3, 4].map((slot) => wasm.numberAt(slot));
    return { waiting: waiting!, late: late!, reordered: reordered!, refused: refused!, paused: paused! };
  }
}
