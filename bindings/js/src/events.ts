// evenstep/events: sounds, flashes and other effects, which steps emit and which are delivered when their moment is presented.

import { fail, integer, objectOf, refuse } from "./errors.js";
import { tickOf } from "./frame.js";
import { type FixedTimestep, timestepOf } from "./timestep.js";

/** How the frame is drawn; `"atOnce"` is for events that are not drawn. */
export type Seen = "blended" | "extrapolated" | "atOnce";

/** Options of a queue. */
export interface EventQueueOptions {
  /** The most events that wait, up to 2²⁰; 256 unless set. */
  readonly capacity?: number;
  /** Which event a full queue drops; the oldest unless set. */
  readonly overflow?: "dropOldest" | "dropNewest";
}

/** An event that this frame shows. */
export interface SeenEvent<Event> {
  /** The tick of the step that emitted it. */
  readonly tick: number;
  /** The emitted event. */
  readonly event: Event;
}

/** The number of steps by which the drawn state is behind the newest state. */
const behind: Record<Seen, number> = { blended: 1, extrapolated: 0, atOnce: 0 };

/**
 * A queue of events of a timestep's steps. An interpolated frame shows an earlier moment than the simulation has reached; the queue
 * delivers each event in the first frame that shows it.
 */
export class EventQueue<Event> {
  readonly #timestep: FixedTimestep;
  readonly #capacity: number;
  readonly #dropsOldest: boolean;
  #events: SeenEvent<Event>[] = [];
  #dropped = 0;
  #lastTick = 0;

  constructor(timestep: FixedTimestep, options: EventQueueOptions = {}) {
    this.#timestep = timestepOf(timestep);
    const { capacity = 256, overflow = "dropOldest" } = objectOf(options, "the options");
    if (overflow !== "dropOldest" && overflow !== "dropNewest") {
      refuse("Type", "overflow", overflow, '"dropOldest" or "dropNewest"');
    }
    this.#capacity = integer(capacity, "the capacity", 1, 1 << 20);
    this.#dropsOldest = overflow === "dropOldest";
  }

  /** Emits an event in a step. Returns whether no event was dropped for it. Emit events in the order of their steps. */
  emit(step: number | { readonly tick: number }, event: Event): boolean {
    const tick = tickOf(step);
    if (tick < this.#lastTick) {
      const why = `tick ${tick} is before tick ${this.#lastTick}; when steps are simulated again, call retractFrom first`;
      fail("Order", "EventQueue.emit", why);
    }
    this.#lastTick = tick;
    const hasRoom = this.waiting < this.#capacity;
    if (!hasRoom) {
      this.#dropped++;
      if (!this.#dropsOldest) return false;
      this.#events.shift();
    }
    this.#events.push({ tick, event });
    return hasRoom;
  }

  /** The events that the timestep's last frame shows. */
  *seen(seen: Seen = "blended"): Generator<SeenEvent<Event>, undefined> {
    if (!Object.hasOwn(behind, seen)) refuse("Type", "seen", seen, '"blended", "extrapolated" or "atOnce"');
    const { hasBegun, tick, isDrawnWhole } = this.#timestep;
    if (!hasBegun) fail("Order", "EventQueue.seen", "call the timestep's beginFrame first");
    // A step ends when the next begins; the drawn time lies up to a step after the previous state.
    const ended = tick - behind[seen] + Number(seen !== "atOnce" && isDrawnWhole);
    while (this.#events.length > 0 && this.#events[0]!.tick < ended) yield this.#events.shift()!;
    return undefined;
  }

  /** Retracts the events of a tick and of later ones, because these steps will be simulated again. */
  retractFrom(step: number | { readonly tick: number }): void {
    const tick = tickOf(step);
    this.#events = this.#events.filter((waiting) => waiting.tick < tick);
    this.#lastTick = Math.min(this.#lastTick, tick);
  }

  /** The number of events that wait. */
  get waiting(): number {
    return this.#events.length;
  }

  /** The number of events that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }
}
