// When frames are presented, from the system's reports. Browsers have none; programs in Node.js that open windows may.

import { GRID_FRAMES_IN_FLIGHT, GRID_NEXT_REFRESH, GRID_OBSERVE, GRID_PREDICT, GRID_SUBMIT, OBJECTS_GRID } from "./calls.js";
import { refuse, whole } from "./errors.js";
import { Handle, held } from "./handle.js";
import { type Time, parts, split } from "./time.js";
import { wasm } from "./display_wasm.js";
import { NONE } from "./wasm.js";
import { check } from "./status.js";

/** A predicted refresh of the display, on the same clock as all times. */
export interface Refresh {
  /** The predicted time. */
  readonly at: Time;
  /** The time between refreshes. */
  readonly period: Time;
  /**
   * The uncertainty of `at`; 0 unless given. That of `nextRefresh` includes the lead, estimated from reports: how long before a refresh
   * the system latches frames. So a pacer that plans for it is in time.
   */
  readonly uncertainty?: Time;
}

/** The system's report of one frame: whether and when it was presented. */
export interface Feedback {
  /** The frame's number, from 1. Later frames have larger numbers. */
  readonly id: number;
  /** When the frame was first presented; `undefined` if it was never presented. */
  readonly presented: Time | undefined;
  /** The time between refreshes that the system reports; leave it out if it reports none. */
  readonly refresh?: Time;
  /** Whether `presented` was measured when the frame appeared on the screen, and not predicted; false unless given. */
  readonly isReliable?: boolean;
}

/** Writes a time to two slots. */
export function putTime(slot: number, time: Time, name: string): void {
  split(time, name);
  wasm.put(slot, parts.millis);
  wasm.put(slot + 1, parts.nanos);
}

/** Passes a report to the WebAssembly. */
export function observe(object: number, what: number, feedback: Feedback, arrived: Time, name: string, why?: string): void {
  if (typeof feedback !== "object" || feedback === null) refuse("Type", "the report", feedback, "an object with id and presented");
  const { id, presented, refresh = 0, isReliable = false } = feedback;
  const seen = presented === undefined ? 0 : isReliable ? 2 : 1;
  putTime(0, presented === undefined ? 0 : presented, "presented");
  putTime(2, refresh, "refresh");
  split(arrived, "the arrival");
  check(wasm.call(object, what, frameNumber(id), seen, parts.millis, parts.nanos), name, why);
}

const frameNumber = (id: number): number => whole(id, "the frame's number", 1, Number.MAX_SAFE_INTEGER);

/** The refreshes of a display, estimated from the system's reports of presented frames. A `Pacer` needs them. */
export class RefreshGrid extends Handle {
  constructor() {
    super(wasm, OBJECTS_GRID);
  }

  /** Records that a frame is submitted, at a time before it is presented. A number that is not larger than the last is ignored. */
  submit(id: number, time: Time): void {
    const object = held(this);
    split(time, "the time");
    check(wasm.call(object, GRID_SUBMIT, frameNumber(id), parts.millis, parts.nanos), "RefreshGrid.submit");
  }

  /** Takes the system's report of a frame, and the time at which it arrived. Reports may be late, repeated or missing. */
  observe(feedback: Feedback, arrived: Time): void {
    observe(held(this), GRID_OBSERVE, feedback, arrived, "RefreshGrid.observe");
  }

  #refresh(now: Time, what: number, name: string): Required<Refresh> | undefined {
    const status = wasm.timed(held(this), what, now, "now");
    if (status === NONE) return undefined;
    check(status, name);
    return { at: wasm.integerAt(0), period: wasm.integerAt(1), uncertainty: wasm.integerAt(2) };
  }

  /** The first refresh after a time that no frame in flight will use, in nanoseconds; `undefined` if it is not known. */
  nextRefresh(now: Time): Required<Refresh> | undefined {
    return this.#refresh(now, GRID_NEXT_REFRESH, "RefreshGrid.nextRefresh");
  }

  /** When a frame that begins now will be presented, in nanoseconds; `undefined` if it is not known. */
  predict(now: Time): Required<Refresh> | undefined {
    return this.#refresh(now, GRID_PREDICT, "RefreshGrid.predict");
  }

  /** The number of frames that were submitted after the newest presented one. */
  get framesInFlight(): number {
    wasm.call(held(this), GRID_FRAMES_IN_FLIGHT);
    return wasm.numberAt(0);
  }
}
