import { call, initSync, slots } from "./generated/steps/bindings.js";
import { encoded, often } from "./generated/steps/encoded.js";
import { Wasm } from "./wasm.js";

export const wasm: Wasm = new Wasm({ initSync, slots, call }, encoded, often);
