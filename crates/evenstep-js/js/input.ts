// Keys, buttons, pointer and wheel with their times: each event reaches exactly one step.

import { check, finite, whole } from "./errors.js";
import { RawInput, type RawSchedule, type RawTimestep } from "./generated/steps/bindings.js";
import { Handle, held } from "./handle.js";
import { Schedule } from "./schedule.js";
import { tickOf } from "./settings.js";
import { type Time, parts, split } from "./time.js";
import { FixedTimestep } from "./timestep.js";
import { memory } from "./steps_memory.js";

/** A key or button: whatever you call it, such as `event.code`. */
export type Key = string | number;

/** An event, as it reaches its step. Its time is in milliseconds. */
export type InputEvent =
  | { readonly kind: "press" | "release"; readonly key: Key; readonly time: number }
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
  /** Events for which there was no room. */
  readonly refused: number;
}

function create(capacity: number): RawInput {
  return RawInput.create(whole(capacity, "the capacity", 1, 1 << 20))!;
}

/**
 * An input buffer. Push events as they arrive, with their times of the clock that `beginFrame` is told; ask in each step what is
 * held, was pressed and has moved. A tap that is shorter than a step is seen once.
 */
export class InputBuffer extends Handle {
  readonly #raw: RawInput;
  readonly #slots: number;
  /** Keys have numbers there. */
  readonly #numbers = new Map<Key, number>();
  readonly #keys: Key[] = [];

  /** With room for so many events between two steps. */
  constructor(capacity = 1024) {
    const raw = create(capacity);
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
  }

  #open(): RawInput {
    held(this);
    return this.#raw;
  }

  #key(key: Key, isDown: boolean, time: Time, call: string): void {
    const raw = this.#open();
    split(time, "the time");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#keys.push(key) - 1;
      this.#numbers.set(key, number);
    }
    check(raw.key(number, isDown, parts.millis, parts.nanos), call);
  }

  /** A key or button went down. Leave out repeats, `event.repeat`. */
  press(key: Key, time: Time): void {
    this.#key(key, true, time, "InputBuffer.press");
  }

  /** A key or button went up. */
  release(key: Key, time: Time): void {
    this.#key(key, false, time, "InputBuffer.release");
  }

  /** Everything that is held went up: when the window loses the focus. */
  releaseAll(time: Time): void {
    const raw = this.#open();
    split(time, "the time");
    check(raw.release_all(parts.millis, parts.nanos), "InputBuffer.releaseAll");
  }

  /** A pointer moved to the right and down, by `event.movementX` and `event.movementY`. */
  motion(x: number, y: number, time: Time): void {
    const raw = this.#open();
    split(time, "the time");
    check(raw.motion(finite(x, "x"), finite(y, "y"), parts.millis, parts.nanos), "InputBuffer.motion");
  }

  /** A wheel turned, by `event.deltaX` and `event.deltaY`. */
  wheel(x: number, y: number, time: Time): void {
    const raw = this.#open();
    split(time, "the time");
    check(raw.wheel(finite(x, "x"), finite(y, "y"), parts.millis, parts.nanos), "InputBuffer.wheel");
  }

  /** Gives each event its step: once a frame, after the timestep's `beginFrame` and before its steps. */
  beginFrame(timestep: FixedTimestep): void {
    const why = "call it once a frame, after the timestep's beginFrame";
    check(this.#open().begin_frame(held<RawTimestep>(timestep, FixedTimestep)), "InputBuffer.beginFrame", why);
  }

  /** The same for a task of a schedule. Each task that takes input has a buffer of its own. */
  beginTask(schedule: Schedule, task: number): void {
    whole(task, "the task", 0, 1023);
    const why = "there is no such task, or it was not called once a frame, after the schedule's beginFrame";
    check(this.#open().begin_task(held<RawSchedule>(schedule, Schedule), task), "InputBuffer.beginTask", why);
  }

  /** Begins a step and takes its events. What the methods below answer is then that of this step. */
  beginStep(step: number | { readonly tick: number }): void {
    check(this.#open().begin_step(tickOf(step)), "InputBuffer.beginStep", "call beginFrame first");
  }

  /** The events of this step, oldest first. */
  *events(): Generator<InputEvent, undefined> {
    for (let index = 0; this.#open().event(index) === 0; index++) {
      const [kind, key, x, y, time] = memory.numbers.subarray(this.#slots, this.#slots + 5) as unknown as number[];
      if (kind! < 3) yield { kind: kind === 1 ? "press" : "release", key: this.#keys[key!]!, time: time! };
      else if (kind! < 5) yield { kind: kind === 3 ? "motion" : "wheel", x: x!, y: y!, time: time! };
      else yield { kind: "releaseAll", time: time! };
    }
    return undefined;
  }

  /** Whether a key is down at the end of the step. */
  isHeld(key: Key): boolean {
    const raw = this.#open();
    const number = this.#numbers.get(key);
    return number !== undefined && raw.is_held(number);
  }

  /** How often a key went down in the step. */
  presses(key: Key): number {
    const raw = this.#open();
    const number = this.#numbers.get(key);
    return number === undefined ? 0 : raw.presses(number);
  }

  /** Whether a key went up in the step, also if it is down again. */
  wasReleased(key: Key): boolean {
    const raw = this.#open();
    const number = this.#numbers.get(key);
    return number !== undefined && raw.was_released(number);
  }

  /** By how much the pointer moved to the right in the step. Over all steps it adds up to what arrived. */
  get movedX(): number {
    return this.#open().moved(false);
  }

  /** By how much it moved down. */
  get movedY(): number {
    return this.#open().moved(true);
  }

  /** By how much the wheel turned to the right in the step. */
  get turnedX(): number {
    return this.#open().turned(false);
  }

  /** By how much it turned down. */
  get turnedY(): number {
    return this.#open().turned(true);
  }

  /** How many events wait, and what became of those that did not come as they should. */
  get counts(): InputCounts {
    this.#open().counts();
    const [waiting, late, reordered, refused] = memory.numbers.subarray(this.#slots, this.#slots + 4) as unknown as number[];
    return { waiting: waiting!, late: late!, reordered: reordered!, refused: refused! };
  }
}
