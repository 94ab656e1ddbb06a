// Sounds, flashes and the like, which steps emit and which are handed over once they are seen.

import { EvenstepError, check, refuse, whole } from "./errors.js";
import { RawEvents, type RawTimestep } from "./generated/steps/bindings.js";
import { Handle, held } from "./handle.js";
import { tickOf } from "./settings.js";
import { FixedTimestep } from "./timestep.js";
import { memory } from "./steps_memory.js";

/** What the picture is; `"atOnce"` is for events that do not show. */
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

function create({ capacity = 256, overflow = "dropOldest" }: EventQueueOptions): RawEvents {
  if (overflow !== "dropOldest" && overflow !== "dropNewest") {
    refuse("Type", "overflow", overflow, '"dropOldest" or "dropNewest"');
  }
  return RawEvents.create(whole(capacity, "the capacity", 1, 1 << 20), overflow === "dropNewest")!;
}

/**
 * A queue of events of a timestep's steps. A smooth picture shows an earlier moment than the simulation has reached; the queue
 * hands each event over in the first frame that shows it.
 */
export class EventQueue<Event> extends Handle {
  readonly #raw: RawEvents;
  readonly #slots: number;
  readonly #timestep: FixedTimestep;
  readonly #capacity: number;
  readonly #dropsOldest: boolean;
  /** Events by their number, modulo the capacity: those that wait have numbers in a row. */
  readonly #events: (Event | undefined)[] = [];
  #next = 0;
  #lastTick = 0;

  constructor(timestep: FixedTimestep, options: EventQueueOptions = {}) {
    held(timestep, FixedTimestep);
    const raw = create(options);
    super(raw);
    this.#raw = raw;
    this.#slots = raw.slots() / 8;
    this.#timestep = timestep;
    this.#capacity = options.capacity ?? 256;
    this.#dropsOldest = options.overflow !== "dropNewest";
  }

  #open(): RawEvents {
    held(this);
    return this.#raw;
  }

  /** Emits an event in a step. Answers with whether none had to be dropped for it. Emit in the order of steps. */
  emit(step: number | { readonly tick: number }, event: Event): boolean {
    const raw = this.#open();
    const tick = tickOf(step);
    if (tick < this.#lastTick) {
      const why = `tick ${tick} is before tick ${this.#lastTick}; when steps are simulated again, call retractFrom first`;
      throw new EvenstepError("Order", `EventQueue.emit: ${why}`);
    }
    const hadRoom = raw.emit(held<RawTimestep>(this.#timestep), tick, this.#next);
    this.#lastTick = tick;
    if (hadRoom || this.#dropsOldest) this.#events[this.#next++ % this.#capacity] = event;
    return hadRoom;
  }

  /** The next event that the timestep's last frame shows; `undefined` if there is no more in this frame. */
  next(seen: Seen = "blended"): SeenEvent<Event> | undefined {
    const raw = this.#open();
    const kind = kinds[seen];
    if (kind === undefined) refuse("Type", "seen", seen, '"blended", "extrapolated" or "atOnce"');
    const status = raw.next(held<RawTimestep>(this.#timestep), kind);
    if (status === 100) return undefined;
    check(status, "EventQueue.next", "call the timestep's beginFrame first");
    const numbers = memory.numbers;
    const at = numbers[this.#slots]! % this.#capacity;
    const event = this.#events[at] as Event;
    this.#events[at] = undefined;
    return { tick: numbers[this.#slots + 1]!, event };
  }

  /** The events that the timestep's last frame shows. */
  *seen(seen: Seen = "blended"): Generator<SeenEvent<Event>, undefined> {
    for (let found = this.next(seen); found !== undefined; found = this.next(seen)) yield found;
    return undefined;
  }

  /** Takes back the events of a tick and of later ones, because these steps will be simulated again. */
  retractFrom(step: number | { readonly tick: number }): void {
    const raw = this.#open();
    const tick = tickOf(step);
    const before = raw.waiting();
    raw.retract_from(tick);
    for (let gone = before - raw.waiting(); gone > 0; gone--) this.#events[--this.#next % this.#capacity] = undefined;
    this.#lastTick = Math.min(this.#lastTick, tick);
  }

  /** How many events wait. */
  get waiting(): number {
    return this.#open().waiting();
  }

  /** How many were dropped so far. */
  get dropped(): number {
    return this.#open().dropped();
  }
}
