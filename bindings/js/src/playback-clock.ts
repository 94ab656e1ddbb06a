// A clock that follows the reported positions of a song: crates/evenstep/src/filter/playback_clock/song.rs says how and why.

import { shifted } from "./display-clock.js";
import { objectOf } from "./errors.js";
import { type Elapsed, FollowingClock, ONE, clamp, nanos, product } from "./followed-time.js";
import { type Ratio, type Time, ratio } from "./time.js";

// Nanoseconds, but for the shifts and counts.
const SLACK = 1_000_000;
const NEAR = 5_000_000;
const JUMP = 250_000_000;
const CAUGHT_UP = 2_000_000;
const HURRY = 4_000_000;
const MAX_FRAME = 42_000_000;
const REST = 100_000_000;
const ALIKE = 100_000;
const SURE = 3;
const ERROR_SHIFT = 7;
const SPREAD_SHIFT = 6;
const DRIFT_SHIFT = 5;
const KNOWN = 512;
const MAX_DRIFT = Math.floor(ONE / 50);
const GLIDE_BITS = 30;
const HURRY_BITS = 26;
const GLIDE_SHIFT = 7;
const HURRY_SHIFT = 1;
const MAX_ASKED = 32;
const FIRST_ASKED = 16;
const ASKED = 8;

/** Options of the constructor. */
export interface PlaybackOptions {
  /** The constant latency of the output device; see `setLatency`. */
  readonly latency?: Time;
  /** The speed at which the song is played; 1 unless set. */
  readonly playbackRate?: Ratio;
  /** Where the song's loop begins and ends. */
  readonly loopPoints?: readonly [start: Time, end: Time];
}

/** Where a song is, and when: the position at a time of the page's clock. */
export interface PlaybackReport {
  readonly at: Time;
  readonly position: Time;
}

interface Point {
  readonly at: number;
  readonly position: number;
}

/**
 * A clock that follows the reported positions of a song, or of another machine. Positions are reported in blocks, and the device that plays
 * is not as fast as the page's clock. This clock is as even as a `DisplayClock`, and stays with the song:
 *
 *     const song = new PlaybackClock();
 *     const timestep = new FixedTimestep(120, { clock: song });
 *     song.report({ at: performance.now(), position: audio.currentTime * 1000 }); // in each frame
 *     const frame = timestep.beginFrame(now);
 *
 * Its time is even, never goes back, and stands still only while the song does. `position` belongs to it, for what is drawn. `positionAt`
 * is the best estimate at once, for judging a press. `timeAt` keeps the order of events.
 *
 * Times are milliseconds or nanoseconds as bigint, and come back as milliseconds.
 */
export class PlaybackClock extends FollowingClock {
  #latency = 0;
  #loopStart = 0;
  #loopLength = 0;
  #playbackRate = ONE;
  #drift = 0;
  #knownDrift = 0;
  #lastRate = ONE;
  #rateChangedAt = 0;
  /** The position of the output less the time, once the song has moved. */
  #offset: number | undefined;
  #estimate: Point = { at: 0, position: 0 };
  #stands = true;
  /** A report that was too far from the estimate, where the song was by it. */
  #suspect: Point | undefined;
  /** The mean error of the reports, and how far reports are behind the song on average. */
  #spread = 0;
  #lead = 0;
  #last: Point | undefined;
  #changedAt = 0;
  /** The mean time between changes of the position. */
  #interval = 0;
  #jump = 0;
  /** Whether the last change went round the loop. */
  #wentRound = false;
  #block = JUMP;
  /** The last difference of changes, and how often it came in a row. */
  #difference = 0;
  #differences = 0;
  #step = 0;
  #room = 0;
  #changes = 0;
  #reports = 0;
  #gap = 0;
  #asked = FIRST_ASKED;
  #isPlaced = false;
  #moves = false;
  #hurries = false;

  /** Before the song moves it is a `DisplayClock`. */
  constructor(options: PlaybackOptions = {}) {
    super();
    objectOf(options, "the options");
    if (options.latency !== undefined) this.setLatency(options.latency);
    if (options.playbackRate !== undefined) this.setPlaybackRate(options.playbackRate);
    if (options.loopPoints !== undefined) this.setLoopPoints(...options.loopPoints);
  }

  /** Sets the constant latency of the output device: the position that is heard is earlier by it than the reported one. */
  setLatency(latency: Time): void {
    this.#latency = nanos(latency, "the latency");
  }

  /** Sets the speed at which the song is played, as `playbackRate` of an element. At least 1/16, at most 16. */
  setPlaybackRate(speed: Ratio): void {
    const { numer, denom } = ratio(speed, "the playback rate");
    const rate = clamp(Number((BigInt(numer) * BigInt(ONE)) / BigInt(denom)), ONE / 16, ONE * 16);
    if (rate === this.#playbackRate) return;
    this.#place(this.#estimateAt(this.now), this.now);
    this.#lastRate = this.#playbackRate;
    this.#rateChangedAt = this.now;
    this.#block = JUMP;
    this.#differences = this.#changes = 0;
    this.#playbackRate = rate;
  }

  /** Sets the loop points of the song: from the end its position goes back to the start, and time goes on. Without arguments, none. */
  setLoopPoints(start: Time = 0, end: Time = 0): void {
    const [first, last] = [nanos(start, "the start of the loop"), nanos(end, "the end of the loop")];
    const moved = this.#wrapped(this.#estimate.position) - this.#estimate.position;
    this.#place(this.#estimate.position + moved, this.#estimate.at);
    if (this.#offset !== undefined) this.#offset += moved;
    this.#loopStart = first;
    this.#loopLength = Math.max(last - first, 0);
  }

  /** Takes the position of the song at a time of the page's clock: the time at which it was asked for, or which came with it. It may be
   * reported as often as you like. Before the first frame and in a pause it has no effect. */
  report(report: PlaybackReport): void {
    const reported = objectOf(report, "the report");
    const position = nanos(reported.position, "the position");
    const at = this.since(reported.at, "the time");
    if (!this.hasBegun || this.isPaused) return;
    const last = this.#last;
    this.#last = { at, position };
    if (last === undefined) {
      if (!this.#isPlaced) this.#place(position, at);
      return;
    }
    const jump = this.#ahead(position, last.position);
    if (jump === 0) {
      this.#stay(at, position);
    } else if (this.#change(at, position, last, jump)) {
      this.#moves = this.#isPlaced;
      this.#stands = !this.#isPlaced;
      this.#changedAt = at;
    }
  }

  /** The position of the song that is heard in the last frame, in milliseconds: for notes and other things that are drawn at it. Zero until the
   * song has moved. */
  get position(): number {
    return this.#offset === undefined ? 0 : this.#heard(this.time + this.#offset, this.evenNow) / 1e6;
  }

  /** The best estimate of the position of the song that is heard at a time of the page's clock: for judging a press. */
  positionAt(time: Time): number {
    const at = this.since(time, "the time");
    const suspect = this.#suspect;
    return this.#heard(suspect === undefined ? this.#estimateAt(at) : suspect.position + product(at - suspect.at, this.rate), at) / 1e6;
  }

  override pause(): void {
    if (!this.isPaused) {
      this.#place(this.#estimateAt(this.now), this.now);
      this.#stands = true;
      this.#moves = false;
    }
    super.pause();
  }

  /** Whether the song moves: false before it has begun, in a pause, and while it waits for data or has ended. */
  get isFollowing(): boolean {
    return this.#moves;
  }

  protected get rate(): number {
    const whole = Math.floor(this.#playbackRate / ONE);
    return this.#playbackRate + whole * this.#drift + Math.trunc(((this.#playbackRate - whole * ONE) * this.#drift) / ONE);
  }

  protected get rateNow(): number {
    if (this.#stands && this.#isPlaced) return 0;
    return this.#hurries ? Math.floor(this.rate / 2) : this.rate;
  }

  protected goOn(now: number): void {
    this.#place(this.#estimate.position, now);
    this.#stands = !this.#isPlaced;
    this.#last = this.#suspect = undefined;
    this.#changes = 0;
  }

  #heard(position: number, at: number): number {
    if (!this.#isPlaced) return 0;
    const since = clamp(at - this.#rateChangedAt, 0, this.#latency);
    const lag = product(since, this.#playbackRate) + product(this.#latency - since, this.#lastRate);
    return Math.max(this.#wrapped(position - lag), 0);
  }

  #wrapped(position: number): number {
    const since = position - this.#loopStart;
    if (this.#loopLength === 0 || since < this.#loopLength) return position;
    return this.#loopStart + (since % this.#loopLength);
  }

  #estimateAt(at: number): number {
    return this.#estimate.position + (this.#stands ? 0 : product(at - this.#estimate.at, this.rate));
  }

  #place(position: number, at: number): void {
    this.#estimate = { at, position };
  }

  #ahead(position: number, other: number): number {
    const from = this.#wrapped(other);
    const ahead = position - from;
    const start = this.#loopStart;
    const length = this.#loopLength;
    if (length === 0 || from < start || position < start || position > start + length) return ahead;
    const half = Math.floor(length / 2);
    return ahead + half - Math.floor((ahead + half) / length) * length - half;
  }

  /** A report whose position changed. Returns whether the song is there now. */
  #change(at: number, position: number, last: Point, jump: number): boolean {
    const gap = clamp(at - last.at, 0, JUMP);
    const passed = product(gap, this.#playbackRate);
    const goesOn = jump > 0 && jump <= JUMP + passed;
    const goesRound = goesOn && position < last.position;
    const isCut = goesRound || this.#wentRound;
    if (!isCut) {
      if (goesOn) this.#findBlock(jump);
      this.#jump = jump;
    }
    const step = Math.min(passed, this.#block);
    const isAsked = this.#asked > ASKED;
    const width = isAsked ? step : 0;
    const lead = isAsked ? Math.max(this.#spread + Math.floor(width / 4), Math.floor(width / 2)) : 2 * this.#spread;
    this.#reports++;
    this.#gap = gap;
    this.#wentRound = goesRound;
    this.#step = Math.min(step, product(MAX_FRAME, this.#playbackRate));
    this.#room = Math.max(this.#step, this.#room - Math.floor(this.#room / 128));
    this.#lead = lead;
    if (!this.#isPlaced) {
      this.#place(goesOn ? position + lead : position, at);
      this.#isPlaced = goesOn;
      this.#spread = SLACK;
      return true;
    }
    const from = this.#estimateAt(at);
    const ahead = this.#ahead(position, from);
    const slack = SLACK + Math.floor(this.#spread / 4);
    const range = Math.max(width, 4 * this.#spread);
    const off = Math.max(ahead - slack, 0) + Math.min(ahead + range + slack, 0);
    const far = NEAR + (isAsked ? 2 * range : 0);
    if (Math.abs(off) > far && !this.#agrees(at, position)) {
      this.#suspect = { at, position: position + lead };
      return false;
    }
    const hadSuspect = this.#suspect !== undefined;
    this.#suspect = undefined;
    if (hadSuspect && Math.abs(off) > far) {
      this.#changes = 0;
      this.#place(from + ahead + lead, at);
      return true;
    }
    if (Math.abs(off) > Math.floor(range / 8)) {
      this.#changes = 0;
      if (width > 0) this.#drift = this.#knownDrift;
    }
    this.#correct({ at, position: from }, off, ahead + lead - off, isCut ? this.#interval : clamp(at - this.#changedAt, gap, JUMP));
    return true;
  }

  /** The position is the last one. */
  #stay(at: number, position: number): void {
    const suspect = this.#suspect;
    if (suspect !== undefined) {
      this.#estimate = suspect;
      this.#suspect = undefined;
      this.#changes = 0;
      this.#stands = false;
      this.#moves = true;
      this.#changedAt = suspect.at;
    }
    if (!this.#moves || this.#interval === 0) return;
    const from = this.#estimateAt(at);
    const over = -this.#ahead(position, from) - product(this.#interval, this.#playbackRate) - SLACK - this.#lead;
    if (over > 0) this.#place(from - over, at);
    if (at - this.#changedAt > this.#interval + REST) this.#rest();
  }

  /** The song stands within the last block. */
  #rest(): void {
    const last = this.#last;
    if (last !== undefined) {
      const position = last.position + Math.floor(product(this.#interval, this.#playbackRate) / 2);
      this.#place(this.#estimate.position + this.#ahead(position, this.#estimate.position), last.at);
    }
    this.#stands = true;
    this.#moves = false;
    this.#suspect = undefined;
    this.#changes = 0;
  }

  /** Whether a report agrees with the suspect before it. */
  #agrees(at: number, position: number): boolean {
    const suspect = this.#suspect;
    if (suspect === undefined) return false;
    const since = at - suspect.at;
    const speed = this.#playbackRate;
    const most = product(this.#interval, speed) + product(clamp(since, 0, JUMP), speed) + NEAR;
    return Math.abs(this.#ahead(position, suspect.position + product(since, speed))) <= most;
  }

  #findBlock(jump: number): void {
    const differs = Math.abs(jump - this.#jump);
    let block = jump;
    if (differs > ALIKE) {
      block = Math.min(differs, jump);
      this.#differences = Math.abs(block - this.#difference) <= ALIKE ? this.#differences + 1 : 1;
      this.#difference = block;
      if (this.#differences < SURE) return;
    }
    if (block < this.#block - ALIKE) this.#block = block;
  }

  #correct(from: Point, off: number, error: number, since: number): void {
    this.#changes = Math.min(this.#changes + 1, 0xffff_ffff);
    const shift = Math.min(31 - Math.clz32(this.#changes), ERROR_SHIFT);
    const most = Math.min(Math.max(CAUGHT_UP, 4 * this.#spread), JUMP);
    const bounded = shift === 0 ? error : clamp(error, -most, most);
    if (shift > 0) this.#spread += shifted(Math.abs(bounded) - this.#spread, Math.min(shift + 1, SPREAD_SHIFT));
    this.#place(from.position + off + shifted(bounded, shift), from.at);
    if (this.#interval === 0) this.#interval = since;
    else if (shift > 0) this.#interval += shifted(since - this.#interval, shift);
    else this.#interval += shifted(Math.max(since - this.#interval, 0), 1);
    if (shift < DRIFT_SHIFT || this.#interval <= 0 || off !== 0) return;
    const drift = this.#drift + shifted(Math.trunc((bounded * ONE) / this.#interval), 2 * shift);
    this.#drift = clamp(drift, -MAX_DRIFT, MAX_DRIFT);
    if (this.#changes >= KNOWN) this.#knownDrift = this.#drift;
  }

  protected advance({ now, evenNow, passed, even, time }: Elapsed): number {
    if (this.#last !== undefined) {
      const late = now - this.#last.at;
      const near = Math.min(Math.abs(late), Math.abs(late - passed));
      const vote = this.#reports === 1 && near <= Math.floor(passed / 4) && this.#gap <= 2 * passed ? 1 : -3;
      if (this.#reports > 0) this.#asked = clamp(this.#asked + vote, 0, MAX_ASKED);
      this.#reports = 0;
      if (this.#moves && late > 3 * this.#interval + REST) this.#rest();
    }
    const plain = product(even, this.rate);
    if (!this.#isPlaced || this.#stands) return this.#isPlaced ? 0 : plain;
    const target = this.#estimateAt(evenNow) - (time + plain);
    this.#offset ??= target;
    const owed = target - this.#offset;
    if (Math.abs(owed) > JUMP) {
      this.#offset = target;
      this.#hurries = false;
      return plain;
    }
    this.#hurries = Math.abs(owed) > (this.#hurries ? CAUGHT_UP : HURRY + this.#room);
    const [bits, shift] = this.#hurries ? [HURRY_BITS, HURRY_SHIFT] : [GLIDE_BITS, GLIDE_SHIFT];
    const most = shifted(plain, shift);
    const longest = 2 ** HURRY_BITS;
    return plain + clamp(shifted(clamp(owed, -longest, longest) * Math.min(even, longest), bits), -most, most);
  }
}
