// The messages between the page and its worker.

/** The answers of the worker to a file. */
export type Message =
  | { kind: "read"; bytes: number; of: number }
  | { kind: "measuring" }
  | { kind: "done"; analysis: Analysis }
  | { kind: "failed"; reason: string };

/** The part of the output of `evenstep analyze --json` for a file that is shown. */
export interface Analysis {
  file: string;
  format: string;
  warnings: string[];
  chains: Chain[];
  /** Absent from recordings that are too large to be kept in memory. */
  comparison?: Comparison;
}

/** The part of the output of `evenstep simulate --json` that is shown. */
export interface Comparison {
  rate_hz: number;
  outcomes: Outcome[];
  recommended: { strategy: string; filter: string; reason: string; code: string };
}

export interface Outcome {
  strategy: string;
  filter: string;
  error_rms_ms: number;
  error_max_ms: number;
  latency_ms: number;
}

export interface Chain {
  process: string;
  frames: number;
  displayed?: number;
  not_displayed?: number;
  seconds: number;
  fps_average: number;
  fps_low_1pct: number;
  frame_time_ms: { median: number; p99: number; max: number };
  animation_error_ms?: { rms: number; p99_abs: number; max_abs: number };
  stutter_time_pct: number;
  hitches: unknown[];
  diagnosis: { kind: string; evidence: string; cure: string }[];
}
