// Writes the npm package from its sources and its WebAssembly: node npm.mjs SOURCE OUT. Called by cargo xtask npm.
//
// SOURCE has the sources in TypeScript, and in generated/ the modules with their bindings. A file of JavaScript comes out for
// each entry, with its module within it as text if it has one, one with what those of WebAssembly share, and the declarations.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { minifySync, parseSync, Visitor } from "rolldown/utils";

const [source, out] = process.argv.slice(2).map((folder) => resolve(folder));

const entries = ["evenstep", "events", "schedule", "stats", "recording", "poses", "display"];
const modules = ["poses", "display"];

// As js/encoding.ts decodes it.
function encode(module) {
  const counts = new Array(256).fill(0);
  for (const byte of module) counts[byte]++;
  const plain = Array.from({ length: 95 }, (_, at) => at + 32).filter((code) => code !== 34 && code !== 92);
  const often = new Set([...counts.keys()].sort((one, other) => counts[other] - counts[one]).slice(0, plain.length));
  let other = 160;
  const letters = counts.map((_, byte) => String.fromCharCode(often.has(byte) ? plain.shift() : other++));
  const bits = [...often].reduce((bits, byte) => bits | (1n << BigInt(byte)), 0n);
  return { text: Array.from(module, (byte) => letters[byte]).join(""), bits };
}

for (const name of modules) {
  const { text, bits } = encode(readFileSync(`${source}/generated/${name}/bindings_bg.wasm`));
  const encoded = `export const encoded: string = ${JSON.stringify(text)};\nexport const often = ${bits}n;\n`;
  writeFileSync(`${source}/generated/${name}/encoded.ts`, encoded);
}

const configuration = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    lib: ["es2022", "esnext.disposable", "dom"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: source,
    outDir: `${out}/dist`,
  },
  files: [...entries, "fixed-raf"].map((entry) => `${source}/${entry}.ts`),
};
writeFileSync(`${source}/tsconfig.json`, JSON.stringify(configuration));
writeFileSync(`${source}/package.json`, '{ "type": "module" }');
execFileSync("node_modules/.bin/tsc", ["--project", `${source}/tsconfig.json`], { stdio: "inherit" });

const internal = ["generated", "calls.d.ts", "encoding.d.ts", "status.d.ts", "wasm.d.ts", ...modules.map((name) => `${name}_wasm.d.ts`)];
for (const name of internal) rmSync(`${out}/dist/${name}`, { recursive: true, force: true });

// Names of properties that only the package's own files use. They are shortened in the output, in the same way in each file.
const own = [
  "accumulator", "activity", "admit", "arrived", "bigints", "clock", "countable", "denom", "doubles", "granted", "hasBegun",
  "hasTime", "isDrawnWhole", "isRest", "keepBack", "longestInDoubles", "lookAhead", "maxBacklog", "millis", "nanos", "numbers", "numer",
  "perNano", "perStep", "progress", "released", "resyncs", "scaleOfFrame", "setScale", "speed", "speedDenom", "speedNumer", "stoodStill",
  "subnano", "untilReleased",
];
// The declarations of the types that entries export.
const read = (name) => readFileSync(`${out}/dist/${name}`, "utf8");
const exported = new Set(entries.flatMap((entry) => read(`${entry}.d.ts`).match(/\b[A-Z]\w+/g)));
const all = readdirSync(`${out}/dist`).filter((name) => name.endsWith(".d.ts")).map(read).join("\n");
const types = [...all.matchAll(/^export (?:declare )?(?:abstract )?(?:class|interface|type) (\w+)(?:.*;$|[^]*?^})/gm)];
const open = types.filter(([, name]) => exported.has(name)).map(([text]) => text).join("\n");
const renamed = own.filter((name) => new RegExp(`\\b${name}\\??\\s*[:(<]`).test(open));
if (renamed.length > 0 || open.length === 0) throw new Error(`public names must not be shortened: ${renamed.join(", ")}`);

const minified = (name, code) => {
  const { code: short, errors } = minifySync(name, code, {
    module: true,
    compress: true,
    // Names of classes are kept, because messages contain them.
    mangle: { keepNames: { class: true, function: false } },
    mangleProps: {
      include: new RegExp(`^(${own.join("|")})$`),
      cache: Object.fromEntries(own.map((name, at) => [name, at < 26 ? String.fromCharCode(65 + at) : `$${at.toString(36)}`])),
    },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return inLines(name, short);
};

/** Each statement and each member of a class on a line of its own: Node.js prints the line of an uncaught error. */
function inLines(name, code) {
  const starts = [];
  const begin = (nodes) => starts.push(...nodes.map(({ start }) => start));
  const { program } = parseSync(name, code);
  for (const { declarations = [] } of program.body) begin(declarations.slice(1));
  new Visitor({ Program: ({ body }) => begin(body), ClassBody: ({ body }) => begin(body) }).visit(program);
  const ends = [...starts.filter((start) => start > 0).sort((one, other) => one - other), code.length];
  return ends.map((end, at) => code.slice(ends[at - 1] ?? 0, end)).join("\n");
}

const input = Object.fromEntries(entries.map((entry) => [entry, `${source}/${entry}.ts`]));
// The shared code is in the file of the first entry, which is the only one that most pages load. The other entries import it.
const bundle = await rolldown({ input, preserveEntrySignatures: "allow-extension", logLevel: "warn" });
const { output: written } = await bundle.generate({
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name].js",
  codeSplitting: {
    groups: [
      {
        name: "evenstep",
        test: /\/(accumulator|errors|evenstep|exact|filter|frame|input|local|loop|settings|smoothed|time|timestep)\.ts$/,
      },
      { name: "wasm", test: /\/(encoding|handle|status|wasm)\.ts$/ },
    ],
  },
  minify: "dce-only",
  minifyInternalExports: true,
  comments: false,
});
for (const { fileName, code } of written) writeFileSync(`${out}/dist/${fileName}`, minified(fileName, code));

// A script for pages as they are: a file without imports, the same with the head of a user script, and as a bookmark.
const script = await rolldown({ input: `${source}/fixed-raf.ts`, logLevel: "warn" });
const { output } = await script.write({ file: `${out}/dist/fixed-raf.js`, format: "iife", minify: true, comments: false });
const head = `// ==UserScript==
// @name  fixed-raf: 60 frames a second
// Put the game's address in place of this one: on any page that matches, each animation runs at this rate.
// @match https://example.com/game/*
// @run-at document-start
// @grant none
// ==/UserScript==
`;
writeFileSync(`${out}/dist/fixed-raf.user.js`, head + output[0].code);
writeFileSync(`${out}/dist/fixed-raf.bookmarklet.txt`, `javascript:${encodeURIComponent(output[0].code)}\n`);

// A game in one file, which a browser opens from a disk.
const inlined = await rolldown({ input: `${source}/evenstep.ts`, logLevel: "warn" });
const { output: whole } = await inlined.generate({ format: "iife", name: "evenstep", minify: true, comments: false });
const page = readFileSync(`${source}/game.html`, "utf8");
writeFileSync(`${out}/dist/game.html`, page.replace("/* evenstep */", () => whole[0].code.trim()));
