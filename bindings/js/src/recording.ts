// evenstep/recording: the frames of a page, as a file that `evenstep analyze` reads.

import { fail, integer, objectOf } from "./errors.js";

/** Options of the constructor. */
export interface RecordingOptions {
  /** The most frames to keep; older frames are removed. 36 000 unless set, which is ten minutes at 60 Hz. */
  readonly most?: number;
}

/** A recording, running or stopped. */
export interface FrameRecording {
  /** The number of frames so far. */
  readonly frames: number;
  /** Stops the recording. Browsers report a frame only after it was presented: stop some frames after the last one that you need. */
  stop(): void;
  /** The recording as text with PresentMon's columns, which `evenstep analyze` reads. */
  toString(): string;
}

/** A frame. Times are of `performance.now()`, in milliseconds. */
interface Row {
  /** The time of the frame: the argument of its callbacks. */
  readonly start: number;
  /** When its callbacks began to run. */
  readonly called: number;
  /** The time of the next frame; `undefined` for the last one before the page was hidden. */
  end: number | undefined;
  /** When the page had painted the frame; `undefined` if the browser does not report it. */
  painted: number | undefined;
  /** When the frame was presented; `undefined` if the browser does not report it. */
  presented: number | undefined;
  /** The longest time from an input event of the frame to its presentation; `undefined` if the browser does not report it. */
  input: number | undefined;
}

/** A browser's report of a frame that took more than 50 ms; `paintTime` and `presentationTime` are not in every browser. */
interface LongAnimationFrame extends PerformanceEntry {
  /** 0 if nothing was rendered. */
  readonly renderStart: number;
  readonly paintTime?: number;
  readonly presentationTime?: number | null;
}

/** Milliseconds, rounded to whole nanoseconds first: doubles of browsers print with more digits. */
const milliseconds = (from: number, to: number | undefined): string =>
  to === undefined ? "NA" : `${(Math.round(to * 1e6) - Math.round(from * 1e6)) / 1e6}`;

class Recording implements FrameRecording {
  readonly #most: number;
  #rows: Row[] = [];
  #request = 0;
  /** Whether the page was hidden since the last frame. */
  #isBroken = false;
  #stopping: AbortController | undefined = new AbortController();

  constructor(most: number) {
    this.#most = most;
    this.#observe("long-animation-frame", (entry) => this.#takeFrame(entry as LongAnimationFrame));
    this.#observe("event", (entry) => this.#takeEvent(entry as PerformanceEventTiming));
    // Time while the page is hidden belongs to no frame.
    globalThis.document?.addEventListener("visibilitychange", () => (this.#isBroken ||= document.hidden), this.#stopping);
    this.#request = requestAnimationFrame(this.#frame);
  }

  #frame = (now: number): void => {
    const last = this.#rows.at(-1);
    // Browsers may report a time that is slightly earlier than that of the last frame.
    const start = Math.max(now, last?.start ?? now);
    if (last !== undefined && !this.#isBroken) last.end = start;
    this.#isBroken = false;
    this.#rows.push({ start, called: performance.now(), end: undefined, painted: undefined, presented: undefined, input: undefined });
    // Twice as many frames are cut to the newest ones, so that not every frame moves the array.
    if (this.#rows.length > 2 * this.#most) this.#rows = this.#rows.slice(-this.#most - 1);
    this.#request = requestAnimationFrame(this.#frame);
  };

  #observe(type: string, take: (entry: PerformanceEntry) => void): void {
    if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(type)) return;
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
    // 16 ms is the shortest duration of events that browsers report.
    observer.observe({ type, durationThreshold: 16 } as PerformanceObserverInit);
    this.#stopping?.signal.addEventListener("abort", () => {
      observer.takeRecords().forEach(take);
      observer.disconnect();
    });
  }

  /** The first frame whose callbacks began at `time` or later. */
  #from(time: number): Row | undefined {
    let place = this.#rows.length;
    while (place > 0 && this.#rows[place - 1]!.called >= time) place--;
    return this.#rows[place];
  }

  #takeFrame({ startTime, duration, renderStart, paintTime, presentationTime }: LongAnimationFrame): void {
    const end = startTime + duration;
    const row = renderStart > 0 ? this.#from(renderStart) : undefined;
    if (row === undefined || row.called > end) return;
    // A frame that was painted and has no presentation time counts as never presented.
    if (!presentationTime) return;
    row.painted = paintTime || end;
    row.presented = presentationTime;
  }

  /** The duration of an event, in multiples of 8 ms, ends with the presentation of the frame after its listeners. */
  #takeEvent({ processingEnd, duration }: PerformanceEventTiming): void {
    const row = this.#from(processingEnd);
    if (row !== undefined) row.input = Math.max(row.input ?? 0, duration);
  }

  /** The frames whose length is known. */
  get #known(): Row[] {
    return this.#rows.filter(({ end }) => end !== undefined).slice(-this.#most);
  }

  get frames(): number {
    return this.#known.length;
  }

  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#stopping?.abort();
    this.#stopping = undefined;
  }

  toString(): string {
    const rows = this.#known.map(({ start, end, painted, presented, input }) =>
      [milliseconds(0, start), milliseconds(start, end), milliseconds(start, painted), milliseconds(start, presented), input ?? "NA"].join(),
    );
    return `${["CPUStartTime,MsBetweenAppStart,MsCPUBusy,DisplayLatency,MsAllInputToPhotonLatency", ...rows].join("\n")}\n`;
  }
}

/**
 * Starts recording the frames of a page, or of a worker that draws: when each began, and, if the browser reports it, when it was
 * presented (long animation frames) and how long input waited for it (event timing). `new Blob([String(recording)])` is a file for
 * `evenstep analyze`.
 */
export function recordFrames(options: RecordingOptions = {}): FrameRecording {
  const { most = 36_000 } = objectOf(options, "the options");
  integer(most, "the most frames", 1, 1 << 24);
  if (typeof requestAnimationFrame === "undefined") fail("Missing", "recordFrames", "frames can be recorded only in a page, or in a worker that draws");
  return new Recording(most);
}
