// Frames whose times a filter evens out before they reach a timestep or a schedule.

import { EvenstepError, check, refuse, textOf } from "./errors.js";
import { type Time, nanoseconds, parts } from "./time.js";

/** Evens out the times of frames. All are nanoseconds. `evenstep/display` has such filters. */
export interface DeltaFilter {
  /**
   * Takes the time since the last frame, and the time of this frame; answers with what is to count as passed. The first frame,
   * which sets the clock's beginning, is left out.
   */
  apply(delta: bigint, now: bigint): bigint;
  /** What came in and does not count yet; below zero if more counted than came in. */
  readonly residual: bigint;
  /** By how much it may be ahead of the clock at most: the same in every frame. Input is that much later. */
  readonly maxLead: bigint;
}

/** What takes frames. */
interface Advancing {
  begin_frame(millis: number, nanos: number): number;
  advance_given(nanos: bigint, delta: bigint, residual: bigint, maxLead: bigint): number;
}

/** A number of a filter, as it must be. */
function given(value: bigint, name: string, least: bigint): bigint {
  const wanted = "nanoseconds as a bigint, below 292 years";
  if (typeof value !== "bigint") refuse("Type", `the filter's ${name}`, value, wanted);
  if (value < least || value >= 1n << 63n) refuse(value < 0n ? "Negative" : "Range", `the filter's ${name}`, value, wanted);
  return value;
}

/** The clock of frames before a filter. */
export class FilteredClock {
  readonly #filter: DeltaFilter;
  #now: bigint | undefined;

  constructor(filter: DeltaFilter) {
    if (typeof filter?.apply !== "function") refuse("Type", "the filter", filter, 'an object such as Filters of "evenstep/display"');
    this.#filter = filter;
  }

  /** A frame at a time. */
  beginFrame(raw: Advancing, now: Time, call: string): void {
    const time = nanoseconds(now, "now");
    if (this.#now === undefined) {
      check(raw.begin_frame(parts.millis, parts.nanos), call);
      this.#now = time;
    } else {
      if (time < this.#now) throw new EvenstepError("TimeWentBack", `${call}: ${textOf("TimeWentBack")}`);
      this.#pass(raw, time - this.#now, time, call);
    }
  }

  /** A frame so long after the last one. */
  advance(raw: Advancing, delta: Time, call: string): void {
    const passed = nanoseconds(delta, "delta");
    this.#pass(raw, passed, (this.#now ?? 0n) + passed, call);
  }

  #pass(raw: Advancing, delta: bigint, now: bigint, call: string): void {
    if (now >= 1n << 63n) throw new EvenstepError("Range", `${call}: all deltas exceed 292 years`);
    const filter = this.#filter;
    const filtered = given(filter.apply(delta, now), "answer", 0n);
    const [residual, lead] = [given(filter.residual, "residual", -1n << 63n), given(filter.maxLead, "maxLead", 0n)];
    check(raw.advance_given(delta, filtered, residual, lead), call);
    this.#now = now;
  }
}
