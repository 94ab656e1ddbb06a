import { call, initSync, slots } from "./generated/poses/bindings.js";
import { encoded, often } from "./generated/poses/encoded.js";
import { Wasm } from "./wasm.js";

export const wasm: Wasm = new Wasm({ initSync, slots, call }, encoded, often);
