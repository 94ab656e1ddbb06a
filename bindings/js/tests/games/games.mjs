// Runs third-party games and demos from their packages on displays with several rates: alone, and with fixed-raf in front
// of their own scripts. node games.mjs PROJECT [--quick] [NAME], called by cargo ci. With --quick one of each package plays, and only with
// fixed-raf.
//
// PROJECT has the packages of package.json and evenstep installed. The display is display.js, so time is exact and no run waits.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, resolve, sep } from "node:path";
import { rolldown } from "rolldown";
import { launch } from "../browser.mjs";
import { games } from "./list.mjs";

const [project, ...flags] = process.argv.slice(2);
const root = resolve(project);
const isQuick = flags.includes("--quick");
const only = flags.find((flag) => !flag.startsWith("-"));

const RATES = isQuick ? [30, 60, 144] : [30, 60, 75, 90, 120, 144, 240, 360];
const RATE = 60;
const SECONDS = isQuick ? 2 : 17;
/** The frames whose pictures are compared. */
const LOOKS = [3, 60, 110, 200].filter((frame) => frame < SECONDS * RATE);
const START = 100;

/** Times of refreshes, rounded as browsers round them. */
const refreshes = (rate, seconds = SECONDS) =>
  Array.from({ length: seconds * rate + 1 }, (_, index) => Math.round((START + (index * 1000) / rate) * 10) / 10);

const display = readFileSync(new URL("display.js", import.meta.url), "utf8");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml" };

/** The attributes that a page's author would write. */
const tag = (options) => `<script src="/node_modules/evenstep/dist/fixed-raf.js" data-rate="${RATE}" ${options}></script>`;

let inserted = "";
const server = createServer((request, response) => {
  const path = resolve(`${root}${decodeURIComponent(new URL(request.url, "http://host").pathname)}`);
  if (!path.startsWith(root + sep) || !existsSync(path)) return response.writeHead(404).end();
  let body = readFileSync(path);
  if (path.endsWith(".html")) body = body.toString().replace(/<head[^>]*>|(?=<script)/i, (found) => found + inserted);
  response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(body);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

/** Bundles a program of planck's with its testbed, and returns the path of its page. */
async function bundle(program) {
  const folder = `${root}/bundled/${program}`;
  mkdirSync(folder, { recursive: true });
  const alias = { planck: "planck/dist/planck-with-testbed.mjs" };
  const made = await rolldown({ input: `${root}/node_modules/planck/example/${program}.ts`, resolve: { alias }, cwd: root, logLevel: "silent", treeshake: false });
  await made.write({ file: `${folder}/game.js`, format: "iife" });
  const stage = `<canvas id="stage" style="position: fixed; inset: 0; width: 100%; height: 100%"></canvas>`;
  writeFileSync(`${folder}/index.html`, `<!doctype html><head><meta charset="utf-8"></head><body>${stage}<script src="game.js"></script></body>`);
  return `bundled/${program}/index.html`;
}

const browser = await launch();

/** A run: the number of frames, and the pictures at some of them. */
async function play(game, path, times, options, looks) {
  inserted = options === undefined ? "" : tag(options);
  const context = await browser.newContext({ viewport: { width: 400, height: 300 } });
  try {
    const page = await context.newPage();
    await page.route("**/*", (route) => (route.request().url().startsWith(origin) ? route.continue() : route.abort()));
    await page.addInitScript(display);
    await page.goto(`${origin}/${path}`, { waitUntil: "load" });
    await page.evaluate(async (looks) => {
      await testDisplay.settle();
      testProbe.begin(looks);
    }, looks);
    await page.evaluate((times) => testDisplay.run(times), times);
    return await page.evaluate(() => ({ frames: testProbe.frames, pictures: testProbe.pictures, failures: testDisplay.failures }));
  } finally {
    await context.close();
  }
}

const problems = [];
const rows = [];
const packageOf = ({ name }) => name.split(/[ /]/)[0];
const isFirst = (game, at) => games.findIndex((other) => packageOf(other) === packageOf(game)) === at;
for (const game of games.filter(only === undefined ? (game, at) => !isQuick || isFirst(game, at) : ({ name }) => name === only)) {
  const path = game.program === undefined ? `node_modules/${game.path}` : await bundle(game.program);
  const report = (what) => {
    problems.push(what);
    console.error(`${game.name}: ${what}`);
  };
  // Alone at its own rate: as many pictures as the fastest display shows in two thirds of a second.
  const early = Array.from({ length: (Math.max(...RATES) * 2) / 3 + 1 }, (_, index) => index);
  const reference = await play(game, path, refreshes(RATE, early.length / RATE), undefined, early);
  if (reference.failures.length > 0) report(`fails without fixed-raf: ${reference.failures[0]}`);
  const distinct = new Set(Object.values(reference.pictures)).size;
  if (distinct < 30) report(`shows only ${distinct} pictures`);
  const before = [];
  for (const rate of isQuick ? [] : RATES) {
    // Find the frame at its own rate that shows the same picture as after two thirds of a second here.
    const look = (rate * 2) / 3;
    const { pictures } = await play(game, path, refreshes(rate, 0.7), undefined, [look]);
    const frames = early.filter((frame) => reference.pictures[frame] === pictures[look]);
    const own = (RATE * 2) / 3;
    const nearest = (best, frame) => (Math.abs(frame - own) < Math.abs(best - own) ? frame : best);
    before.push(frames.length === 0 ? undefined : frames.reduce(nearest) / own);
  }
  const after = [];
  let expected;
  for (const rate of RATES) {
    const run = await play(game, path, refreshes(rate), game.options ?? "", LOOKS);
    const speed = (run.frames - 1) / RATE / SECONDS;
    const pictures = LOOKS.map((look) => run.pictures[look]).join(" ");
    expected ??= pictures;
    const isSame = pictures === expected && !pictures.includes("undefined");
    after.push(speed);
    if (Math.abs(speed - 1) > Math.max(0.001, 1.01 / RATE / SECONDS)) report(`runs at ${speed} of its speed at ${rate} Hz`);
    if (!isSame) report(`shows something else at ${rate} Hz: ${pictures} and not ${expected}`);
    if (run.failures.length > reference.failures.length) report(`fails at ${rate} Hz: ${run.failures[0]}`);
  }
  const number = (speed) => (speed === undefined ? "other" : speed.toFixed(2));
  rows.push(`| ${[game.name, ...before.map(number), game.options || "–", `${Math.min(...after).toFixed(4)}–${Math.max(...after).toFixed(4)}`].join(" | ")} |`);
  console.log(rows.at(-1));
}
await browser.close();
server.close();
if (!isQuick) {
  const table = [
    `| game or demo | ${RATES.map((rate) => `${rate} Hz`).join(" | ")} | options | with fixed-raf |`,
    `|---|${RATES.map(() => "---:").join("|")}|---|---|`,
    ...rows,
  ].join("\n");
  writeFileSync(`${root}/games.md`, `${table}\n`);
}
console.log(`${rows.length} games at ${RATES.length} rates`);
process.exitCode = problems.length > 0 ? 1 : 0;
