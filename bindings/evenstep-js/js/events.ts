// Sounds, flashes and the like, which steps emit and which are handed over once they are shown.

import { EVENTS_COUNTS, EVENTS_EMIT, EVENTS_NEXT, EVENTS_RETRACT_FROM, OBJECTS_EVENTS } from "./calls.js";
import { EvenstepError, check, objectOf, refuse, whole } from "./errors.js";
import { Handle, held } from "./handle.js";
import { tickOf } from "./settings.js";
import { FixedTimestep } from "./timestep.js";
import { wasm } from "./steps_wasm.js";
import { NONE } from "./wasm.js";

/** How the frame is drawn; `"atOnce"` is for events that do not show. */
export type Seen = "blended" | "extrapolated" | "atOnce";

/** What can be set of a queue. */
export interface EventQueueOptions {
  /** The most events that wait, up to 2²⁰; 256 unless set. */
  readonly capacity?: number;
  /** Which event a full queue drops; the oldest unless set. */
  readonly overflow?: "dropOldest" | "dropNewest";
}

/** An event that is seen in this frame. */
export interface SeenEvent<Event> {
  /** The tick of the step that emitted it. */
  readonly tick: number;
  /** What was emitted. */
  readonly event: Event;
}

const kinds: Record<Seen, number> = { blended: 0, extrapolated: 1, atOnce: 2 };

function settings(options: EventQueueOptions): [number, number] {
  const { capacity = 256, overflow = "dropOldest" } = objectOf(options, "the options");
  if (overflow !== "dropOldest" && overflow !== "dropNewest") {
    refuse("Type", "overflow", overflow, '"dropOldest" or "dropNewest"');
  }
  return [whole(capacity, "the capacity", 1, 1 << 20), Number(overflow === "dropNewest")];
}

/**
 * A queue of events of a timestep's steps. An interpolated frame shows an earlier moment than the simulation has reached; the queue
 * hands each event over in the first frame that shows it.
 */
export class EventQueue<Event> extends Handle {
  readonly #timestep: FixedTimestep;
  readonly #capacity: number;
  readonly #dropsOldest: boolean;
  /** Events by their number, modulo the capacity: those that wait have numbers in a row. */
  readonly #events: (Event | undefined)[] = [];
  #next = 0;
  #lastTick = 0;

  constructor(timestep: FixedTimestep, options: EventQueueOptions = {}) {
    held(timestep, FixedTimestep);
    super(wasm, OBJECTS_EVENTS, ...settings(options));
    this.#timestep = timestep;
    this.#capacity = options.capacity ?? 256;
    this.#dropsOldest = options.overflow !== "dropNewest";
  }

  /** Emits an event in a step. Answers with whether none had to be dropped for it. Emit in the order of steps. */
  emit(step: number | { readonly tick: number }, event: Event): boolean {
    const object = held(this);
    const tick = tickOf(step);
    if (tick < this.#lastTick) {
      const why = `tick ${tick} is before tick ${this.#lastTick}; when steps are simulated again, call retractFrom first`;
      throw new EvenstepError("Order", `EventQueue.emit: ${why}`);
    }
    const hadRoom = wasm.call(object, EVENTS_EMIT, held(this.#timestep), tick, this.#next) !== NONE;
    this.#lastTick = tick;
    if (hadRoom || this.#dropsOldest) this.#events[this.#next++ % this.#capacity] = event;
    return hadRoom;
  }

  /** The next event that the timestep's last frame shows; `undefined` if there is no more in this frame. */
  next(seen: Seen = "blended"): SeenEvent<Event> | undefined {
    const object = held(this);
    const kind = kinds[seen];
    if (kind === undefined) refuse("Type", "seen", seen, '"blended", "extrapolated" or "atOnce"');
    const status = wasm.call(object, EVENTS_NEXT, held(this.#timestep), kind);
    if (status === NONE) return undefined;
    check(status, "EventQueue.next", "call the timestep's beginFrame first");
    const at = wasm.numberAt(0) % this.#capacity;
    const event = this.#events[at] as Event;
    this.#events[at] = undefined;
    return { tick: wasm.numberAt(1), event };
  }

  /** The events that the timestep's last frame shows. */
  *seen(seen: Seen = "blended"): Generator<SeenEvent<Event>, undefined> {
    for (let found = this.next(seen); found !== undefined; found = this.next(seen)) yield found;
    return undefined;
  }

  /** Takes back the events of a tick and of later ones, because these steps will be simulated again. */
  retractFrom(step: number | { readonly tick: number }): void {
    const object = held(this);
    const tick = tickOf(step);
    const before = this.waiting;
    wasm.call(object, EVENTS_RETRACT_FROM, tick);
    for (let gone = before - this.waiting; gone > 0; gone--) this.#events[--this.#next % this.#capacity] = undefined;
    this.#lastTick = Math.min(this.#lastTick, tick);
  }

  #count(slot: number): number {
    wasm.call(held(this), EVENTS_COUNTS);
    return wasm.numberAt(slot);
  }

  /** How many events wait. */
  get waiting(): number {
    return this.#count(0);
  }

  /** How many were dropped so far. */
  get dropped(): number {
    return this.#count(1);
  }
}
