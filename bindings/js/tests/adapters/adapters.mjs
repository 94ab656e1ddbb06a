// Runs evenstep's steps in Phaser's loop, as the book shows them, on displays with several rates, and around four physics engines. Also runs
// fixed-raf in a worker and in an iframe, and the game in one file, from a disk. node adapters.mjs PROJECT, called by cargo ci.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { launch } from "../browser.mjs";
import { engines } from "./engines.mjs";

const project = resolve(process.argv[2]);
const here = new URL(".", import.meta.url);
const book = readFileSync(new URL("../../../../docs/pages/javascript-engines.md", here), "utf8");
const display = readFileSync(new URL("../games/display.js", here), "utf8");
const SECONDS = 2;

const problems = await engines(project);
const browser = await launch();

async function opened(path, script) {
  const page = await (await browser.newContext()).newPage();
  page.on("pageerror", (error) => problems.push(`${path}: ${error.message}`));
  if (script !== undefined) await page.addInitScript(script);
  await page.goto(pathToFileURL(path).href);
  return page;
}

const text = readFileSync(new URL("phaser.js", here), "utf8");
const shown = text.slice(text.indexOf("// In the page of the book:\n") + 28, text.indexOf("// Until here."));
if (!book.includes(shown.trim())) problems.push("docs/pages/javascript-engines.md does not show phaser.js as it is");
writeFileSync(`${project}/phaser.js`, text);
const made = await rolldown({ input: `${project}/phaser.js`, cwd: project, logLevel: "silent", platform: "browser" });
await made.write({ file: `${project}/bundled/phaser.js`, format: "iife" });
const phaser = `${project}/bundled/phaser.html`;
writeFileSync(phaser, `<!doctype html><meta charset="utf-8"><body></body><script src="phaser.js"></script>`);
for (const rate of [30, 60, 144, 240]) {
  const page = await opened(phaser, display);
  // An engine begins when its preparations are finished.
  await page.evaluate(() => testDisplay.settle());
  let now = 100;
  const run = async (seconds) => {
    const times = Array.from({ length: rate * seconds }, (_, index) => now + ((index + 1) * 1000) / rate);
    now = times.at(-1);
    await page.evaluate((times) => testDisplay.run(times), times);
    return page.evaluate(() => window.measured());
  };
  let before;
  for (let turns = 0; turns < 20 && !(before?.ticks > 0); turns++) before = await run(0.5);
  const after = await run(SECONDS);
  const ticks = after.ticks - before.ticks;
  // A body moves by one unit per step, and is drawn between the last two states.
  const moved = after.state - before.state;
  const isDrawn = after.drawn >= after.state - 1.001 && after.drawn <= after.state + 0.001;
  if (Math.abs(ticks - 60 * SECONDS) > 1 || Math.abs(moved - ticks) > 1e-6 || !isDrawn) {
    problems.push(`Phaser at ${rate} Hz: ${ticks} steps, moved by ${moved}, ${after.drawn} drawn at ${after.state}`);
  }
  await page.context().close();
}
console.log("Phaser: equal steps at 30, 60, 144 and 240 Hz");

// In a worker that draws, and in an iframe, in real time: forty frames at 20 Hz are one period apart, or several where refreshes were far
// apart because the machine had stalled, and none comes before its time.
const refreshed = `
  const refreshes = [], refresh = requestAnimationFrame.bind(self);
  refresh(function shown(time) {
    refreshes.push(time);
    refresh(shown);
  });`;
const frames = `
  const canvas = new OffscreenCanvas(8, 8).getContext("2d");
  const times = [];
  requestAnimationFrame(function frame(time) {
    canvas.fillRect(0, 0, 8, 8);
    if (times.push(time) < 40) requestAnimationFrame(frame);
    else REPORT({ times, refreshes, end: performance.now() });
  });`;
const fixedRaf = readFileSync(`${project}/node_modules/evenstep/dist/fixed-raf.js`, "utf8");
const program = (report) => `${refreshed}\nself.fixedRaf = { rate: 20 };\n${fixedRaf}\n${frames.replace("REPORT", report)}`;
const [inWorker, inFrame] = [program("postMessage"), `<script>${program("parent.postMessage")}</script>`];
const page = await opened(`${project}/node_modules/evenstep/dist/game.html`);
for (const [name, text] of [["a worker", inWorker], ["an iframe", inFrame]]) {
  const { times, refreshes, end } = await page.evaluate(
    ([name, text]) =>
      new Promise((resolve) => {
        addEventListener("message", (event) => resolve(event.data), { once: true });
        if (name === "an iframe") Object.assign(document.body.appendChild(document.createElement("iframe")), { srcdoc: text });
        else new Worker(URL.createObjectURL(new Blob([text]))).onmessage = (event) => resolve(event.data);
      }),
    [name, text],
  );
  const periods = times.slice(1).map((time, index) => (time - times[index]) / 50);
  const isWhole = (count) => Math.abs(count - Math.round(count)) < 1e-7 && Math.round(count) >= 1;
  const skips = periods.filter((count) => Math.round(count) > 1).length;
  const stalls = refreshes.slice(1).filter((time, index) => time - refreshes[index] > 200).length;
  if (!periods.every(isWhole) || skips > stalls || end < times.at(-1) - 50) {
    problems.push(`fixed-raf in ${name}: frames at ${times} ms, at ${end} ms, with refreshes at ${refreshes} ms`);
  }
  console.log(`fixed-raf in ${name}: forty frames at 20 Hz`);
}

// The game in one file, from a disk, in real time.
await page.waitForFunction(() => game.timestep.tick > 30);
await page.keyboard.down("ArrowRight");
await page.waitForFunction(() => paddle.current > 500);
await page.keyboard.up("ArrowRight");
console.log("game.html runs from a disk");
await browser.close();

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
