// Prints the report of the WebAssembly module in a folder: node run.mjs FOLDER
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const module = await import(pathToFileURL(join(folder, "determinism.js")));
module.initSync({ module: readFileSync(join(folder, "determinism_bg.wasm")) });
process.stdout.write(module.report());
