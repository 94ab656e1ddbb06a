// The program `proof` in Node.js: node run.mjs FOLDER-OF-MODULE ARGUMENTS
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, command, ...rest] = process.argv.slice(2);
const proof = await import(pathToFileURL(resolve(folder, "proof.js")));
proof.initSync({ module: readFileSync(join(folder, "proof_bg.wasm")) });

if (command === "run") {
  const [seed, out] = rest;
  mkdirSync(out, { recursive: true });
  for (const name of proof.names()) {
    const recorded = proof.record(name, Number(seed));
    console.log(`${name} ${recorded.hash()}`);
    writeFileSync(join(out, `${name}.rec`), recorded.file());
  }
} else if (command === "replay") {
  for (const name of proof.names()) {
    const file = join(rest[0], `${name}.rec`);
    console.log(`${name} ${proof.replay(readFileSync(file), file)}`);
  }
} else if (command === "toolkit") {
  process.stdout.write(proof.toolkit(Number(rest[0])));
} else {
  throw new Error("usage: run.mjs MODULE run SEED FOLDER, replay FOLDER or toolkit FRAMES");
}
