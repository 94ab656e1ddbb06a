import { initSync } from "./generated/steps/bindings.js";
import { encoded, letters } from "./generated/steps/encoded.js";
import { Memory } from "./wasm.js";

export const memory: Memory = new Memory(initSync, encoded, letters);
