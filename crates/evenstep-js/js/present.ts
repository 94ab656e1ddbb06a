// When frames are seen, as the system reports it. Browsers do not; programs in Node.js that open windows may know.

import { check, refuse, whole } from "./errors.js";
import { RawRefreshGrid } from "./generated/display/bindings.js";
import { Handle, held } from "./handle.js";
import { type Time, nanoseconds } from "./time.js";
import { memory } from "./display_memory.js";

/** A refresh of the display that is to come, of the same clock as all times. */
export interface Refresh {
  /** When it is. */
  readonly at: Time;
  /** The time between refreshes. */
  readonly period: Time;
  /**
   * By how much `at` may be wrong; 0 unless given. That of `nextRefresh` includes the lead: how long before a refresh the system
   * takes pictures, as learnt from reports. So a pacer that plans for it is in time.
   */
  readonly uncertainty?: Time;
}

/** What the system reports of one frame: whether and when it was seen. */
export interface Feedback {
  /** The frame's number, from 1. Later frames have larger ones. */
  readonly id: number;
  /** When it was seen first; `undefined` if it never was. */
  readonly presented: Time | undefined;
  /** The time between refreshes, as the system announces it; leave it out if it does not. */
  readonly refresh?: Time;
  /** Whether `presented` was measured when the picture was on the screen, and not predicted; false unless given. */
  readonly isReliable?: boolean;
}

/** What takes reports. */
interface Observing {
  observe(id: number, presented: bigint, refresh: bigint, isReliable: boolean, arrived: bigint): number;
}

/** Hands a report over. */
export function observe(raw: Observing, feedback: Feedback, arrived: Time, call: string, why?: string): void {
  if (typeof feedback !== "object" || feedback === null) refuse("Type", "the report", feedback, "an object with id and presented");
  const { id, presented, refresh = 0, isReliable = false } = feedback;
  const seen = presented === undefined ? -1n : nanoseconds(presented, "presented");
  const [period, time] = [nanoseconds(refresh, "refresh"), nanoseconds(arrived, "the arrival")];
  check(raw.observe(frameNumber(id), seen, period, Boolean(isReliable), time), call, why);
}

const frameNumber = (id: number): number => whole(id, "the frame's number", 1, Number.MAX_SAFE_INTEGER);

/** The refreshes of a display, from what the system reports of frames that were seen: what a `Pacer` needs. */
export class RefreshGrid extends Handle {
  readonly #raw: RawRefreshGrid;
  readonly #slots: number;

  constructor() {
    const raw = RawRefreshGrid.create();
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
  }

  #open(): RawRefreshGrid {
    held(this);
    return this.#raw;
  }

  /** A frame is handed over, at a time that is not after it is shown. A number that is not larger than the last is ignored. */
  submit(id: number, time: Time): void {
    check(this.#open().submit(frameNumber(id), nanoseconds(time, "the time")), "RefreshGrid.submit");
  }

  /** Takes what the system reports of a frame, and when the report arrived. Reports may come late, twice, or never. */
  observe(feedback: Feedback, arrived: Time): void {
    observe(this.#open(), feedback, arrived, "RefreshGrid.observe");
  }

  #refresh(now: Time, ofAFrame: boolean, call: string): Required<Refresh> | undefined {
    const raw = this.#open();
    const status = raw.refresh(nanoseconds(now, "now"), ofAFrame);
    if (status === 100) return undefined;
    check(status, call);
    const [at, period, uncertainty] = memory.integers.slice(this.#slots, this.#slots + 3);
    return { at: at!, period: period!, uncertainty: uncertainty! };
  }

  /** The first refresh after a time that no frame in flight takes, in nanoseconds; `undefined` where it is not known. */
  nextRefresh(now: Time): Required<Refresh> | undefined {
    return this.#refresh(now, false, "RefreshGrid.nextRefresh");
  }

  /** When a frame will be seen that is begun now, likewise. */
  predict(now: Time): Required<Refresh> | undefined {
    return this.#refresh(now, true, "RefreshGrid.predict");
  }

  /** Frames that were submitted after the newest that was seen. */
  get framesInFlight(): number {
    return this.#open().frames_in_flight();
  }
}
