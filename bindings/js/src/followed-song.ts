// The position of a song, estimated from what is reported in blocks: crates/evenstep/src/filter/follow_clock/song.rs says how and why.

import { shifted } from "./display-clock.js";
import { ONE, clamp, product } from "./followed-fixed.js";
import type { Terms } from "./time.js";

// Nanoseconds, but for the shifts and counts.
const STRAY = 20_000_000;
const STRAYS = 2;
const JUMP = 250_000_000;
const CAUGHT_UP = 2_000_000;
const ERROR_SHIFT = 5;
const SPREAD_SHIFT = 6;
const DRIFT_SHIFT = 12;
const MAX_DRIFT = Math.floor(ONE / 50);
const GLIDE_BITS = 30;
const HURRY_BITS = 26;
const GLIDE_SHIFT = 8;
const HURRY_SHIFT = 1;

export class FollowedSong {
  latency = 0;
  #loopStart = 0;
  #loopLength = 0;
  #playbackRate = ONE;
  #drift = 0;
  /** The position of the output less the time, and the estimate less the output. */
  #offset = 0;
  #owed = 0;
  /** The mean error of the reports. */
  #spread = 0;
  #lastAt: number | undefined;
  #lastPosition = 0;
  #changedAt = 0;
  /** The mean time between reports that are used. */
  #interval = 0;
  #changes = 0;
  #strays = 0;
  #isPlaced = false;
  #hurries = false;

  setPlaybackRate({ numer, denom }: Terms): void {
    // Both are below 2^32: the quotient is exact in two parts.
    const whole = Math.floor(numer / denom);
    this.#playbackRate = clamp(whole * ONE + Math.floor(((numer - whole * denom) * ONE) / denom), ONE / 16, ONE * 16);
  }

  setLoopPoints(start: number, end: number, time: number): void {
    this.#offset = this.#wrapped(time + this.#offset) - time;
    this.#loopStart = start;
    this.#loopLength = Math.max(end - start, 0);
  }

  /** Seconds of the song a second, in 2^-24. */
  get rate(): number {
    const whole = Math.floor(this.#playbackRate / ONE);
    return this.#playbackRate + whole * this.#drift + Math.trunc(((this.#playbackRate - whole * ONE) * this.#drift) / ONE);
  }

  get isMoving(): boolean {
    return this.#changes > 0;
  }

  /** The position that is heard at a time. */
  heard(time: number): number {
    if (!this.#isPlaced) return 0;
    return Math.max(this.#wrapped(time + this.#offset - product(this.latency, this.#playbackRate)), 0);
  }

  #wrapped(position: number): number {
    const since = position - this.#loopStart;
    if (this.#loopLength === 0 || since < this.#loopLength) return position;
    return this.#loopStart + (since % this.#loopLength);
  }

  beginAgain(): void {
    this.#lastAt = undefined;
    this.#changes = 0;
    this.#strays = 0;
  }

  report(at: number, position: number, time: number): void {
    const lastAt = this.#lastAt;
    const hasChanged = lastAt !== undefined && this.#lastPosition !== position;
    this.#lastAt = at;
    this.#lastPosition = position;
    if (!this.#isPlaced) {
      this.#offset = position - time;
      this.#isPlaced = hasChanged;
    }
    if (!hasChanged) return;
    const gap = clamp(at - lastAt, 0, JUMP);
    if (this.#changes === 0) {
      this.#spread = Math.floor(Math.min(gap, 2 * STRAY) / 4);
      this.#interval = gap;
    }
    const ahead = this.#nearest(position, time + this.#offset + this.#owed);
    const error = ahead + 2 * this.#spread;
    const slack = STRAY + 2 * this.#spread;
    if (this.#changes === 0) {
      this.#moveTo(error);
    } else if (ahead > slack || ahead < -gap - slack) {
      const side = ahead < 0 ? -1 : 1;
      this.#strays = this.#strays * side < 0 ? side : this.#strays + side;
      if (Math.abs(this.#strays) >= STRAYS) this.#moveTo(error);
    } else {
      this.#correct(error, clamp(at - this.#changedAt, gap, JUMP));
    }
    this.#changedAt = at;
  }

  #nearest(position: number, from: number): number {
    const ahead = position - from;
    const start = this.#loopStart;
    const length = this.#loopLength;
    if (length === 0 || from < start || position < start || position > start + length) return ahead;
    const half = Math.floor(length / 2);
    return ahead + half - Math.floor((ahead + half) / length) * length - half;
  }

  #moveTo(error: number): void {
    this.#changes = 1;
    this.#strays = 0;
    this.#owed += error;
    this.#hurries = Math.abs(this.#owed) <= JUMP;
    if (this.#hurries) return;
    this.#offset += this.#owed;
    this.#owed = 0;
  }

  #correct(error: number, since: number): void {
    this.#strays = 0;
    this.#changes = Math.min(this.#changes + 1, 0xffff_ffff);
    const age = 31 - Math.clz32(this.#changes);
    this.#spread += shifted(Math.abs(error) - this.#spread, Math.min(age + 1, SPREAD_SHIFT));
    const most = Math.max(CAUGHT_UP, 4 * this.#spread);
    const bounded = clamp(error, -most, most);
    this.#owed += shifted(bounded, Math.min(age, ERROR_SHIFT));
    this.#interval += shifted(since - this.#interval, Math.min(age, ERROR_SHIFT));
    if (age < ERROR_SHIFT || this.#interval <= 0) return;
    const drift = this.#drift + shifted(Math.trunc((bounded * ONE) / this.#interval), DRIFT_SHIFT);
    this.#drift = clamp(drift, -MAX_DRIFT, MAX_DRIFT);
  }

  /** Advances by the program's time. */
  advance(even: number): number {
    const plain = product(even, this.rate);
    const [bits, shift] = this.#hurries ? [HURRY_BITS, HURRY_SHIFT] : [GLIDE_BITS, GLIDE_SHIFT];
    const longest = 2 ** HURRY_BITS;
    const most = shifted(plain, shift);
    const by = clamp(shifted(clamp(this.#owed, -longest, longest) * Math.min(even, longest), bits), -most, most);
    this.#owed -= by;
    this.#hurries &&= Math.abs(this.#owed) > CAUGHT_UP;
    return plain + by;
  }
}
