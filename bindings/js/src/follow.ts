// evenstep/follow: a clock that follows a song or the display, with the integers of crates/evenstep/src/filter/follow_clock.

import { DisplayClock } from "./display-clock.js";
import { FollowedDisplay } from "./followed-display.js";
import { FollowedSong } from "./followed-song.js";
import { objectOf } from "./errors.js";
import { ONE, product } from "./followed-fixed.js";
import { type Ratio, type Time, parts, rate, ratio, split } from "./time.js";

/** Options of the constructor. */
export interface FollowOptions {
  /** The constant latency of the output device; see `setLatency`. */
  readonly latency?: Time;
  /** The speed at which the song is played; 1 unless set. */
  readonly playbackRate?: Ratio;
  /** Where the song's loop begins and ends. */
  readonly loopPoints?: readonly [start: Time, end: Time];
}

/** Whole nanoseconds of a time, exact up to 104 days. */
function nanos(time: Time, name: string): number {
  split(time, name);
  return parts.millis * 1e6 + parts.nanos;
}

/**
 * A clock that follows another one: the position of a song, or the refreshes of the display.
 *
 * A song's position is reported in blocks, and the device that plays it is not as fast as the page's clock. A game that takes the
 * position for its time stands still between two blocks; one that takes `performance.now()` drifts away. This clock's frames are as
 * even as those of a `DisplayClock`, and it stays with the song:
 *
 *     song.report(performance.now(), audio.currentTime * 1000);
 *     const frame = timestep.beginFrame(song.beginFrame(now)); // a FixedTimestep without a filter
 *
 * Its time never goes back, and never stands still while the page's clock advances, except in a pause. A position that is off by up to a
 * quarter of a second, after a stall or a seek, is caught up with at half to one and a half times the speed; a longer jump moves the
 * position at once, and time goes on evenly. Both need two positions in a row that agree.
 *
 * Times are milliseconds or nanoseconds as bigint, and come back as milliseconds.
 */
export class FollowClock {
  readonly #filter = new DisplayClock();
  readonly #song: FollowedSong | undefined;
  readonly #display: FollowedDisplay | undefined;
  /** The time of the first frame: whole milliseconds, and the nanoseconds beyond. All other times are counted from it. */
  #millis: number | undefined;
  #nanos = 0;
  /** Of the last frame: its time on the page's clock, its time on this one, and the time on the page's clock that belongs to that. */
  #now = 0;
  #time = 0;
  #placed = 0;
  #pause: "running" | "paused" | "resuming" = "running";

  /** A clock that follows the positions that are reported. Before the first of them it is a `DisplayClock`. */
  constructor(options?: FollowOptions);
  /** @internal */
  constructor(options: FollowOptions, display: FollowedDisplay);
  constructor(options: FollowOptions = {}, display?: FollowedDisplay) {
    objectOf(options, "the options");
    this.#display = display;
    this.#song = display === undefined ? new FollowedSong() : undefined;
    if (options.latency !== undefined) this.setLatency(options.latency);
    if (options.playbackRate !== undefined) this.setPlaybackRate(options.playbackRate);
    if (options.loopPoints !== undefined) this.setLoopPoints(...options.loopPoints);
  }

  /**
   * A clock for this number of steps a second that follows the display, if that shows a frame in every refresh: each refresh brings the same
   * part of a step. The simulation is then faster or slower by up to 2 %, or by up to 0.5 % in a pattern of more than 8 refreshes: `speed`
   * says by how much. Without a period, or a pattern of at most 64 refreshes, it steps aside, and is a `DisplayClock`: `isFollowing` says
   * so. It needs 256 frames to know.
   */
  static ofDisplay(steps: Ratio): FollowClock {
    return new FollowClock({}, new FollowedDisplay(rate(steps, "the rate")));
  }

  /** Sets the constant latency of the output device: the position that is heard is earlier by it than the reported one. */
  setLatency(latency: Time): void {
    const value = nanos(latency, "the latency");
    if (this.#song) this.#song.latency = value;
  }

  /** Sets the speed at which the song is played, as `playbackRate` of an element. At least 1/16, at most 16. */
  setPlaybackRate(speed: Ratio): void {
    const terms = ratio(speed, "the playback rate");
    this.#song?.setPlaybackRate(terms);
  }

  /** Sets the loop points of the song: from the end its position goes back to the start, and time goes on. Without arguments, none. */
  setLoopPoints(start: Time = 0, end: Time = 0): void {
    const points = [nanos(start, "the start of the loop"), nanos(end, "the end of the loop")] as const;
    this.#song?.setLoopPoints(...points, this.#time);
  }

  /**
   * Takes the position of the song at a time of the page's clock: the time at which it was asked for, or which came with it. It may be
   * reported as often as you like; only a position that changed is used. Before the first frame, in a pause, and of a display it has no
   * effect.
   */
  report(at: Time, position: Time): void {
    const reported = nanos(position, "the position");
    const since = this.#since(at, "the time");
    if (this.#millis !== undefined && this.#pause === "running") this.#song?.report(since, reported, this.#timeAt(since));
  }

  /**
   * Begins a frame at a time of the page's clock. Returns the time of this clock for `timestep.beginFrame`: zero in the first frame.
   * An earlier time is treated as the last frame's.
   */
  beginFrame(now: Time): number {
    if (this.#millis === undefined) {
      split(now, "now");
      this.#millis = parts.millis;
      this.#nanos = parts.nanos;
      this.#placed = -this.#filter.maxLead;
      return 0;
    }
    const passed = Math.max(this.#since(now, "now") - this.#now, 0);
    this.#now += passed;
    const even = this.#filter.apply(passed);
    this.#placed = this.#now - this.#filter.residual - this.#filter.maxLead;
    if (this.#pause === "resuming") this.#pause = "running";
    else if (this.#pause === "running") this.#advance(passed, even);
    return this.#time / 1e6;
  }

  #advance(passed: number, even: number): void {
    if (this.#song) {
      this.#time += this.#song.advance(even);
    } else if (this.#display) {
      this.#time += this.#display.advance(passed, even, this.#time, this.#filter);
      if (this.#display.lag !== undefined) this.#placed = this.#now - this.#display.lag;
    }
  }

  /** The time of this clock at a time of the page's clock: for input. An event after a frame is never before the time of that frame. */
  timeAt(at: Time): number {
    return Math.max(this.#timeAt(this.#since(at, "the time")), 0) / 1e6;
  }

  #timeAt(since: number): number {
    return this.#time + (this.#pause === "running" ? product(since - this.#placed, this.#rate) : 0);
  }

  /** The position of the song that is heard in the last frame, in milliseconds: for notes and other things that are drawn at it. Zero
   * before the first report, and of a display. */
  get position(): number {
    return (this.#song?.heard(this.#time + product(this.#filter.maxLead + this.#filter.aim, this.#rate)) ?? 0) / 1e6;
  }

  /** The position of the song that is heard at a time of the page's clock: for judging a press. */
  positionAt(at: Time): number {
    return (this.#song?.heard(this.#timeAt(this.#since(at, "the time"))) ?? 0) / 1e6;
  }

  /** Begins a pause of the song: time stands still from the last frame on. */
  pause(): void {
    this.#pause = "paused";
  }

  /** Ends a pause: time goes on from the next frame, which is the last of the pause. */
  resume(): void {
    if (this.#pause !== "paused") return;
    this.#pause = "resuming";
    this.#song?.beginAgain();
  }

  /** Whether it follows: a position was reported that moved, since the last pause; or the display has a period that it knows. */
  get isFollowing(): boolean {
    return this.#song?.isMoving ?? this.#display?.isLocked ?? false;
  }

  /** Its seconds for each second of the page's clock. Resample the sound of a simulation that follows the display by it. */
  get speed(): number {
    return this.#rate / ONE;
  }

  get #rate(): number {
    return this.#song?.rate ?? this.#display?.rate ?? ONE;
  }

  /** Nanoseconds of the page's clock since the first frame. */
  #since(at: Time, name: string): number {
    split(at, name);
    return this.#millis === undefined ? 0 : (parts.millis - this.#millis) * 1e6 + parts.nanos - this.#nanos;
  }
}
