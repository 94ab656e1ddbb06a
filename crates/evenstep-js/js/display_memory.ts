import { initSync } from "./generated/display/bindings.js";
import { encoded, letters } from "./generated/display/encoded.js";
import { Memory } from "./wasm.js";

export const memory: Memory = new Memory(initSync, encoded, letters);
