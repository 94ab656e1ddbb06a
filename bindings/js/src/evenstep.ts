// evenstep: equal steps and smooth drawing for games and simulations.

/** The version of the package, such as "0.1.0". */
export const version: string = "0.1.0";

export type { Overrun } from "./accumulator.js";
export { DisplayClock } from "./display-clock.js";
export { EvenstepError, type EvenstepErrorCode } from "./errors.js";
export type { ExactTime } from "./exact.js";
export type { DeltaFilter } from "./filter.js";
export type { Frame, Lost, Step } from "./frame.js";
export { InputBuffer, type InputCounts, type InputEvent, type Key } from "./input.js";
export { type Loop, type LoopOptions, type LoopTarget, loop } from "./loop.js";
export { type Numbers, Smoothed, type SmoothedOptions } from "./smoothed.js";
export type { Ratio, Time } from "./time.js";
export { FixedTimestep, type TimestepOptions } from "./timestep.js";
