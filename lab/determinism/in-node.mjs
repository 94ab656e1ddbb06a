// The module in Node.js.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export async function open(folder) {
  const module = await import(pathToFileURL(resolve(folder, "determinism.js")));
  module.initSync({ module: readFileSync(join(folder, "determinism_bg.wasm")) });
  return {
    names: module.names,
    toolkit: module.toolkit,
    record(name, seed) {
      const recorded = module.record(name, seed);
      return { hash: recorded.hash(), file: Buffer.from(recorded.file()).toString("base64") };
    },
    replay: (file, name) => module.replay(Buffer.from(file, "base64"), name),
    close() {},
  };
}
