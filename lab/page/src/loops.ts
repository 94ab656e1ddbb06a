// The five loops as programs, in the order of the figure's lanes. Tests run them as they are copied.

import accumulatorRust from "../../evenstep-scenes/tests/loops/accumulator.rs?raw";
import fixedDeltaRust from "../../evenstep-scenes/tests/loops/fixed_delta.rs?raw";
import interpolatedRust from "../../evenstep-scenes/tests/loops/interpolated.rs?raw";
import semiFixedRust from "../../evenstep-scenes/tests/loops/semi_fixed.rs?raw";
import variableDeltaRust from "../../evenstep-scenes/tests/loops/variable_delta.rs?raw";
import accumulatorJs from "./loops/accumulator.js?raw";
import fixedDeltaJs from "./loops/fixed_delta.js?raw";
import interpolatedJs from "./loops/interpolated.js?raw";
import semiFixedJs from "./loops/semi_fixed.js?raw";
import variableDeltaJs from "./loops/variable_delta.js?raw";

/** The programs of each language. */
export const programs: Record<string, string[]> = {
  rust: [fixedDeltaRust, variableDeltaRust, semiFixedRust, accumulatorRust, interpolatedRust],
  js: [fixedDeltaJs, variableDeltaJs, semiFixedJs, accumulatorJs, interpolatedJs],
};

/** What a line of a program does in a frame, by its comment. */
export function partOf(line: string): string | undefined {
  return /\/\/ (clock|step|draw)\b/.exec(line)?.[1];
}
