// evenstep/pointers: where the mouse, a pen and each finger are, in each step.

import { refuse } from "./errors.js";
import { tickOf } from "./frame.js";
import { type FixedTimestep, timestepOf } from "./timestep.js";

/** A finger, a pen or the mouse in a step. It is the same object in every step. Places are in the target's own pixels. */
export interface Pointer {
  /** The browser's number for it. Each touch of a finger has a new one. */
  readonly id: number;
  readonly type: "mouse" | "pen" | "touch";
  /** Where it is. */
  readonly x: number;
  readonly y: number;
  /** Whether it touches, or a button is down. A touch that is shorter than a step is down in one. */
  readonly isDown: boolean;
  /** The tick of the step in which it went down; 0 before it ever was. */
  readonly since: number;
  /** Where it went down. */
  readonly startX: number;
  readonly startY: number;
}

/** Where a pointer was at a time, in milliseconds. */
interface Place {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** From down to up. */
interface Press {
  readonly down: Place;
  /** When it went up; never yet. */
  up: number;
  isSeen: boolean;
}

interface Track {
  readonly pointer: { -readonly [Name in keyof Pointer]: Pointer[Name] };
  /** Oldest first: the last one before the time of the last step, and those after it. */
  places: Place[];
  presses: Press[];
}

/**
 * Reports arrive up to this many milliseconds late (a mouse of 125 a second, with time for its way), and a filter of frame times may lead the
 * clock by so many.
 */
const REPORT = 8.5;
const LEAD = 4;

/** The most places of a pointer that are kept while no step asks for them. */
const MAX_PLACES = 4096;

/**
 * The pointers over an element, from frame to frame as even as they move, by the times of the browser's events. A step is told where they were
 * at its begin, a few milliseconds before: what follows a finger has its speed. Create it once; it listens until `close`.
 */
export class Pointers {
  readonly #timestep: FixedTimestep;
  readonly #target: EventTarget & Partial<HTMLCanvasElement>;
  readonly #tracks = new Map<number, Track>();
  readonly #listening = new AbortController();
  /** The step that was asked for last, and its frame and time. */
  #tick = -1;
  #frame = -1;
  #time = 0;
  #pointers: Pointer[] = [];

  /** The pointers of the steps of a timestep, such as a loop's, over an element or the whole window. */
  constructor(timestep: FixedTimestep, target: { readonly addEventListener: (...parts: never[]) => void } = window) {
    this.#timestep = timestepOf(timestep);
    this.#target = target as EventTarget;
    if (typeof target?.addEventListener !== "function") refuse("Type", "target", target, "an element, or the window");
    const { signal } = this.#listening;
    const on = (from: EventTarget, name: string, run: (event: PointerEvent) => void, capture = true): void =>
      from.addEventListener(name, run as EventListener, { signal, capture, passive: true });
    on(this.#target, "pointerdown", (event) => this.#press(event), false);
    on(window, "pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) on(window, name, (event) => this.#release(event));
    // A pen that is taken away.
    on(window, "pointerout", ({ pointerId, pointerType, relatedTarget }) => {
      if (pointerType === "pen" && !relatedTarget && this.#tracks.get(pointerId)?.presses.length === 0) this.#tracks.delete(pointerId);
    });
    on(window, "blur", ({ timeStamp }) => {
      for (const { presses } of this.#tracks.values()) for (const press of presses) press.up = Math.min(press.up, timeStamp);
    });
  }

  /** Stops listening. */
  close(): void {
    this.#listening.abort();
    this.#tracks.clear();
  }

  /** Where an event happened, in the target's own pixels: a canvas has as many as its attributes say. */
  #placeOf({ clientX, clientY, timeStamp: at }: PointerEvent): Place {
    const target = this.#target;
    const box = target.getBoundingClientRect?.();
    if (!box) return { at, x: clientX, y: clientY };
    const { offsetWidth, offsetHeight, clientLeft = 0, clientTop = 0, clientWidth, clientHeight, width, height } = target;
    const along = (from: number, length: number, whole: number | undefined, border: number, inner: number | undefined, pixels: number | undefined): number => {
      const place = (from * (whole || length)) / length - border;
      return typeof pixels === "number" && inner ? (place * pixels) / inner : place;
    };
    const isCanvas = "getContext" in target;
    return {
      at,
      x: along(clientX - box.left, box.width || 1, offsetWidth, clientLeft, clientWidth, isCanvas ? width : undefined),
      y: along(clientY - box.top, box.height || 1, offsetHeight, clientTop, clientHeight, isCanvas ? height : undefined),
    };
  }

  #track({ pointerId, pointerType }: PointerEvent, place: Place): Track {
    const { x, y } = place;
    let track = this.#tracks.get(pointerId);
    if (track === undefined) {
      const pointer = { id: pointerId, type: pointerType as Pointer["type"], x, y, isDown: false, since: 0, startX: x, startY: y };
      this.#tracks.set(pointerId, (track = { pointer, places: [], presses: [] }));
    }
    const { places } = track;
    // Browsers may send an older event after a newer one.
    if (places.length === 0 || place.at > places.at(-1)!.at) places.push(place);
    if (places.length > MAX_PLACES) places.splice(0, MAX_PLACES / 2);
    return track;
  }

  #press(event: PointerEvent): void {
    const down = this.#placeOf(event);
    this.#track(event, down).presses.push({ down, up: Infinity, isSeen: false });
  }

  #move(event: PointerEvent): void {
    // A mouse or pen that comes to the target; a finger went down on it.
    if (!this.#tracks.has(event.pointerId) && (event.pointerType === "touch" || !event.composedPath().includes(this.#target))) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const part of events.length > 0 ? events : [event]) this.#track(event, this.#placeOf(part));
  }

  #release(event: PointerEvent): void {
    const track = this.#tracks.get(event.pointerId);
    if (track === undefined) return;
    if (event.type === "pointerup") this.#track(event, this.#placeOf(event));
    for (const press of track.presses) press.up = Math.min(press.up, event.timeStamp);
  }

  /** The pointers in a step, in the order in which they came: fingers that touch, and a mouse or pen over the target or that was. The list is
   * the same in every call. In the last step of a finger it is not down, and is where it was lifted. */
  of(step: number | { readonly tick: number }): readonly Pointer[] {
    const tick = tickOf(step);
    const { clock, frame, speed, overstep } = this.#timestep;
    if (tick === this.#tick && clock.frames === this.#frame) return this.#pointers;
    this.#tick = tick;
    this.#frame = clock.frames;
    // The end of the step on the clock: it is as long ago as steps and time are left after it.
    const reached = clock.millis + (clock.nanos - clock.residual) / 1e6;
    const left = (this.#timestep.tick - tick - 1) * frame.dt + overstep.toSeconds();
    const end = speed > 0 ? reached - (1000 * left) / speed : reached;
    const lead = clock.maxLead / 1e6;
    // A clock that has begun again takes this one with it.
    const isBack = end < this.#time - 1000;
    this.#time = isBack ? end : Math.max(end, this.#time);
    const at = this.#time - Math.max(1000 * frame.dt, REPORT) - LEAD;
    this.#pointers.length = 0;
    for (const [id, { pointer, places, presses }] of this.#tracks) {
      let past = 0;
      while (past + 1 < places.length && places[past + 1]!.at <= at) past++;
      places.splice(0, past);
      const [from, to = from] = places as [Place, Place?];
      const part = to!.at > from.at ? Math.max(Math.min((at - from.at) / (to!.at - from.at), 1), 0) : 0;
      pointer.x = from.x + (to!.x - from.x) * part;
      pointer.y = from.y + (to!.y - from.y) * part;
      const [press] = presses;
      if (press && !press.isSeen && press.down.at + lead < this.#time) {
        press.isSeen = true;
        pointer.isDown = true;
        pointer.since = tick;
        pointer.startX = press.down.x;
        pointer.startY = press.down.y;
      } else if (press?.isSeen && press.up <= at) {
        pointer.isDown = false;
        presses.shift();
        if (pointer.type === "touch") this.#tracks.delete(id);
      }
      // A finger whose step has not come is not there yet.
      if (pointer.type !== "touch" || press?.isSeen) this.#pointers.push(pointer);
    }
    return this.#pointers;
  }
}
