// The frame clock, and a filter that smooths its times before they reach a timestep.

import { fail, integer, refuse } from "./errors.js";
import { LATEST, type Time, parts, split } from "./time.js";

/**
 * Smooths frame times, as `DisplayClock` does. Durations are whole nanoseconds, as numbers, which hold 104 days exactly; a longer frame counts
 * as 104 days.
 */
export interface DeltaFilter {
  /** Takes the time since the last frame, and returns the delta for the timestep. */
  apply(delta: number): number;
  /** Time that came in and does not count yet; negative while the filter leads the clock. */
  readonly residual: number;
  /** The most by which the filter may lead the clock, the same in every frame. Input acts later by this time. */
  readonly maxLead: number;
}

/** A clock that follows another one, as of "evenstep/follow". */
export interface Following {
  timeAt(at: Time): number;
  /** @internal The frame clock of the timestep that takes it. */
  frameClock(filter: DeltaFilter | null | undefined): FrameClock;
}

const MAX_EXACT = Number.MAX_SAFE_INTEGER;

/** The filters that serve a frame clock. */
const serving = new WeakSet<DeltaFilter>();

/** The frame clock. One that follows a song or the display is of "evenstep/follow". */
export class FrameClock {
  readonly #filter: DeltaFilter | null | undefined;
  /** The number of frames so far. */
  frames = 0;
  /** The number of frames whose time was before an earlier frame's. */
  backwardFrames = 0;
  /** Whether the last frame belongs to a pause of the clock that follows. */
  isPause = false;
  /** The time of the last frame: whole milliseconds and the nanoseconds beyond. */
  millis = 0;
  nanos = 0;
  /** The time between the last two frames, unfiltered and filtered. */
  delta = 0;
  filteredDelta = 0;
  /** The filter's values after the last frame. */
  residual = 0;
  maxLead = 0;

  constructor(filter?: DeltaFilter | null) {
    this.#filter = filter;
    if (!filter) return;
    if (typeof filter.apply !== "function") refuse("Type", "the filter", filter, "an object such as a DisplayClock");
    if (serving.has(filter)) fail("Order", "the filter", "another timestep has it");
    serving.add(filter);
  }

  /** Begins a frame at a time. Returns the filtered delta, zero in the first frame. */
  begin(now: Time): number {
    split(now, "now");
    const { millis, nanos } = parts;
    if (this.frames > 0) {
      const delta = (millis - this.millis) * 1e6 + nanos - this.nanos;
      if (delta >= 0) return this.#pass(delta, millis, nanos);
      // Browsers round frame times and add jitter, and clocks are set.
      this.backwardFrames++;
      return this.#pass(0, this.millis, this.nanos);
    }
    return this.#end(millis, nanos);
  }

  /** Begins a frame this long after the last one, or after time zero if it is the first. */
  advance(delta: Time): number {
    split(delta, "delta");
    const { millis, nanos } = parts;
    if (this.millis + millis > LATEST) refuse("Range", "the sum", delta, "below 292 years");
    return this.#pass(millis * 1e6 + nanos, this.millis + millis, this.nanos + nanos);
  }

  #pass(delta: number, millis: number, nanos: number): number {
    this.delta = Math.min(delta, MAX_EXACT);
    this.filteredDelta = this.#filter ? integer(this.#filter.apply(this.delta), "filter.apply()", 0, MAX_EXACT) : this.delta;
    return this.#end(millis, nanos);
  }

  #end(millis: number, nanos: number): number {
    if (this.#filter) {
      this.residual = integer(this.#filter.residual, "filter.residual", -MAX_EXACT, MAX_EXACT);
      this.maxLead = integer(this.#filter.maxLead, "filter.maxLead", 0, MAX_EXACT);
    }
    this.millis = millis;
    this.nanos = nanos;
    this.frames++;
    return this.filteredDelta;
  }
}
