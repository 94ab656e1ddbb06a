// The program `determinism` as a WebAssembly module: node run.mjs node|chromium FOLDER-OF-MODULE COMMAND ARGUMENTS
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [where, folder, command, ...rest] = process.argv.slice(2);
const { open } = await import(`./in-${where}.mjs`);
const determinism = await open(folder);

if (command === "run") {
  const [seed, out] = rest;
  mkdirSync(out, { recursive: true });
  for (const name of await determinism.names()) {
    const { hash, file } = await determinism.record(name, Number(seed));
    console.log(`${name} ${hash}`);
    writeFileSync(join(out, `${name}.rec`), Buffer.from(file, "base64"));
  }
} else if (command === "replay") {
  for (const name of await determinism.names()) {
    const path = join(rest[0], `${name}.rec`);
    console.log(`${name} ${await determinism.replay(readFileSync(path, "base64"), path)}`);
  }
} else if (command === "toolkit") {
  process.stdout.write(await determinism.toolkit(Number(rest[0])));
} else {
  throw new Error("usage: run.mjs node|chromium MODULE run SEED FOLDER, replay FOLDER or toolkit FRAMES");
}
await determinism.close();
