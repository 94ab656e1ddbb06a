// Writes dist/: node build.mjs, which `npm pack` runs. A module for each entry, the declarations of the types, and scripts for pages
// without modules.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

process.chdir(import.meta.dirname);
const { version, license, homepage } = JSON.parse(readFileSync("package.json", "utf8"));
// What a file says that is used alone, without the package.
const banner = `/*! SPDX-License-Identifier: ${license}\n * evenstep ${version}, ${homepage} */\n`;
const entries = ["evenstep", "events", "follow", "pointers", "stats", "recording", "poses"];
// Names of classes are kept: consoles and uncaught errors print them.
const minify = { compress: true, mangle: { keepNames: { class: true, function: false } } };

rmSync("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc"], { stdio: "inherit" });
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(`../../${licence}`, licence);
copyFileSync("../../crates/evenstep/which-call.md", "dist/which-call.md");

/** Each statement and each method on a line of its own: Node.js prints the line of an uncaught error. */
function inLines(name, code) {
  const starts = [];
  const begin = (nodes) => starts.push(...nodes.map(({ start }) => start));
  const { program } = parseSync(name, code);
  for (const { declarations = [] } of program.body) begin(declarations.slice(1));
  new Visitor({ Program: ({ body }) => begin(body), ClassBody: ({ body }) => begin(body.filter(({ type }) => type === "MethodDefinition")) }).visit(program);
  const ends = [...starts.filter((start) => start > 0).sort((one, other) => one - other), code.length];
  return ends.map((end, at) => code.slice(ends[at - 1] ?? 0, end)).join("\n");
}

// The modules. The shared code is in the file of the first entry, which is the only one that most pages load.
const input = Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`]));
const modules = await rolldown({ input, preserveEntrySignatures: "allow-extension", logLevel: "warn" });
const { output: written } = await modules.generate({
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  codeSplitting: { groups: [{ name: "evenstep", test: new RegExp(`/(?!(?:${entries.slice(1).join("|")}|rotation|followed-time|playback-clock|refresh-clock)\\.ts$)[^/]+\\.ts$`) }] },
  minify,
  comments: false,
});
for (const { fileName, code } of written) writeFileSync(`dist/${fileName}`, inLines(fileName, code));

/** A file without imports. */
async function single(entry, format, file) {
  const bundle = await rolldown({ input: `src/${entry}.ts`, logLevel: "warn" });
  const { output } = await bundle.write({ file: `dist/${file}`, format, name: "evenstep", minify, comments: false });
  return output[0].code;
}

// For `require("evenstep/cjs")`, in a folder whose files and types are CommonJS, and for a classic script, which finds everything in `evenstep`.
mkdirSync("dist/cjs");
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
await single("evenstep", "cjs", "cjs/evenstep.js");
for (const name of readdirSync("dist").filter((name) => name.endsWith(".d.ts"))) copyFileSync(`dist/${name}`, `dist/cjs/${name}`);
const script = banner + await single("evenstep", "iife", "evenstep.global.js");
writeFileSync("dist/evenstep.global.js", script);
// A game in one file, which a browser opens from a disk.
writeFileSync("dist/game.html", readFileSync("game.html", "utf8").replace("/* evenstep */", () => script.trim()));

// A script for pages as they are, the same with the head of a user script, and as a bookmark.
const raf = await single("fixed-raf", "iife", "fixed-raf.js");
writeFileSync("dist/fixed-raf.js", banner + raf);
const head = `// ==UserScript==
// @name  fixed-raf: 60 frames a second
// Put the game's address in place of this one: on any page that matches, each animation runs at this rate.
// @match https://example.com/game/*
// @run-at document-start
// @grant none
// ==/UserScript==
`;
writeFileSync("dist/fixed-raf.user.js", head + banner + raf);
writeFileSync("dist/fixed-raf.bookmarklet.txt", `javascript:${encodeURIComponent(raf)}\n`);
