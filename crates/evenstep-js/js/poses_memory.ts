import { initSync } from "./generated/poses/bindings.js";
import { encoded, letters } from "./generated/poses/encoded.js";
import { Memory } from "./wasm.js";

export const memory: Memory = new Memory(initSync, encoded, letters);
