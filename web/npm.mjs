// Makes the npm package of its sources and its WebAssembly: node npm.mjs SOURCE OUT. Called by cargo xtask npm.
//
// SOURCE has the sources in TypeScript, and in generated/ the module with its bindings. One file of JavaScript comes out, the
// module within it as text, and the declarations.

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";

const [source, out] = process.argv.slice(2).map((folder) => resolve(folder));

const module = readFileSync(`${source}/generated/bindings_bg.wasm`);
// As js/encoding.ts decodes it.
const text = Array.from(module, (byte) => String.fromCharCode((byte + 32) % 256)).join("");
writeFileSync(`${source}/generated/encoded.ts`, `export const encoded: string = ${JSON.stringify(text)};\n`);

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
  files: [`${source}/index.ts`],
};
writeFileSync(`${source}/tsconfig.json`, JSON.stringify(configuration));
writeFileSync(`${source}/package.json`, '{ "type": "module" }');
execFileSync("node_modules/.bin/tsc", ["--project", `${source}/tsconfig.json`], { stdio: "inherit" });

for (const internal of ["generated", "encoding.d.ts", "wasm.d.ts"]) rmSync(`${out}/dist/${internal}`, { recursive: true, force: true });

const bundle = await rolldown({ input: `${source}/index.ts`, logLevel: "warn" });
await bundle.write({
  file: `${out}/dist/evenstep.js`,
  format: "esm",
  // Names of classes are in messages.
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  comments: false,
});
