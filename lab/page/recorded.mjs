// Records the frames of a busy page in Chromium with `evenstep/recording`, and reads the recording with `evenstep analyze`:
// node recorded.mjs PROJECT, called by cargo ci. In PROJECT the npm package is installed; the command is the one that cargo has built.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { rolldown } from "rolldown";
import { launch } from "../../bindings/js/tests/browser.mjs";

const project = resolve(process.argv[2]);
const command = process.env.EVENSTEP ?? resolve("../../target/debug/evenstep");

const bundle = await rolldown({ input: `${project}/node_modules/evenstep/dist/recording.js` });
const { output } = await bundle.generate({ format: "iife", name: "evenstep" });
writeFileSync(
  `${project}/recorded.html`,
  `<!doctype html><meta charset="utf-8"><button>press</button><p></p><script>${output[0].code}
    const text = document.querySelector("p");
    const busy = (millis) => { for (const begin = performance.now(); performance.now() - begin < millis; ); };
    const reported = { "long-animation-frame": 0, event: 0 };
    for (const type of Object.keys(reported)) {
      new PerformanceObserver((list) => (reported[type] += list.getEntries().length)).observe({ type, durationThreshold: 16 });
    }
    document.querySelector("button").addEventListener("pointerdown", () => busy(40));
    const recording = evenstep.recordFrames();
    let frames = 0;
    requestAnimationFrame(function frame() {
      if (++frames % 20 === 0) busy(80);
      text.textContent = frames;
      requestAnimationFrame(frame);
    });
  </script>`,
);
const browser = await launch();
try {
  const page = await browser.newPage();
  const failed = new Promise((_, fail) => page.on("pageerror", fail));
  await page.goto(pathToFileURL(`${project}/recorded.html`).href);
  const work = async () => {
    await page.waitForFunction(() => frames > 0);
    await page.click("button");
    await page.waitForFunction(() => frames > 200 && reported["long-animation-frame"] >= 5 && reported.event > 0);
    return page.evaluate(() => {
      recording.stop();
      return { frames: recording.frames, text: String(recording) };
    });
  };
  const { frames, text } = await Promise.race([work(), failed]);
  const [, ...rows] = text.trim().split("\n").map((line) => line.split(",").map(Number));
  const [presented, answered] = [3, 4].map((column) => rows.filter((row) => row[column] > 0).length);
  if (rows.length !== frames || presented < 5 || answered < 1) throw new Error(`${rows.length} of ${frames} frames, ${presented} presented, ${answered} answered`);
  const wrong = rows.find(([, , painted, presented]) => presented < painted);
  if (wrong !== undefined) throw new Error(`a frame was presented before it was painted: ${wrong}`);
  writeFileSync(`${project}/recorded.csv`, text);
  const analysis = execFileSync(command, ["analyze", `${project}/recorded.csv`], { encoding: "utf8" });
  console.log(analysis);
  if (!analysis.includes(`${frames} in `) || !analysis.includes(`${presented} displayed`)) throw new Error("evenstep analyze counts other frames");
  console.log(`${frames} frames of a page recorded, ${presented} with their presentation, and read by evenstep analyze`);
} finally {
  await browser.close();
}
