import { call, initSync, slots } from "./generated/display/bindings.js";
import { encoded, often } from "./generated/display/encoded.js";
import { Wasm } from "./wasm.js";

export const wasm: Wasm = new Wasm({ initSync, slots, call }, encoded, often);
