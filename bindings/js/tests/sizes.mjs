// What each entry of the package weighs, gzipped, with all that it loads. Run as a program it prints a line for each.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const entries = [
  "evenstep",
  "evenstep/events",
  "evenstep/follow",
  "evenstep/pointers",
  "evenstep/stats",
  "evenstep/recording",
  "evenstep/poses",
];

/** The files that these entries load, themselves among them, and their bytes. */
function weigh(loaded) {
  const files = new Set(loaded.map((entry) => import.meta.resolve(entry)));
  let bytes = 0;
  for (const file of files) {
    const text = readFileSync(new URL(file));
    for (const [, other] of text.toString().matchAll(/from\s*["`](\.[^"`]+)["`]/g)) files.add(new URL(other, file).href);
    bytes += gzipSync(text).length;
  }
  return { files: files.size, bytes };
}

/** By the name of the entry; `all` are they together. */
export const sizes = new Map([...entries.map((entry) => [entry, weigh([entry])]), ["all", weigh(entries)]]);

if (process.argv[1] === import.meta.filename) for (const [name, { bytes }] of sizes) console.log(`${name} ${bytes}`);
