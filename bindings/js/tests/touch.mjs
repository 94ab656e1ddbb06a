// A finger that drags in the game on the book's page stays down until it is lifted, whatever the page can scroll: in Chromium and, where it
// is installed, in Firefox, with touches that each browser makes from its own protocol. node --experimental-websocket touch.mjs PROJECT, called
// by cargo ci. In PROJECT the npm package is installed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { inBrowsers, serve, until } from "./browsers.mjs";

const project = resolve(process.argv[2]);
const script = readFileSync(`${project}/node_modules/evenstep/dist/evenstep.global.js`, "utf8");

const LONG = "<p style='height: 3000px'>A page that scrolls.</p>";
const IMAGE = `<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='640' height='400'/%3E" width="300" height="300">`;
/** A page: what is in it, and the loop's target. */
const pages = {
  "/": ["<canvas width='640' height='400'></canvas>", "undefined"],
  "/long": [`<canvas width='640' height='400'></canvas>${LONG}`, "undefined"],
  "/target": [`<canvas width='640' height='400'></canvas>${LONG}`, "document.querySelector('canvas')"],
  "/picture": [`${IMAGE}${LONG}`, "undefined"],
  "/text": [`<p style="height: 300px">Text, which a long press selects.</p>${LONG}`, "undefined"],
};
const { origin, close } = await serve((path) => {
  if (!(path in pages)) return undefined;
  const [body, target] = pages[path];
  return `<!doctype html><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><body style="margin: 0">${body}<script>${script}</script><script>
  const seen = { ran: 0, held: 0, presses: 0, cancels: 0 };
  addEventListener("pointercancel", () => seen.cancels++);
  const game = evenstep.loop({
    step(dt, input) { seen.ran++; seen.held += input.isHeldAtEnd("Pointer0"); seen.presses += input.presses("Pointer0"); },
    draw() {}, target: ${target} });
  game.start();
</script>`;
});

await inBrowsers(async (name, browser) => {
  for (const path of Object.keys(pages)) {
    const { ask, down, move, up } = await browser.open(origin + path);
    const seen = (is) => until(ask, "seen", is);
    await seen(({ ran }) => ran > 5);
    await down(100, 250);
    await seen(({ presses }) => presses === 1);
    const before = await ask("seen");
    for (let part = 1; part <= 20; part++) await move(100 + 4 * part, 250 - 6 * part);
    // A long press, too.
    const after = await seen(({ ran }) => ran > before.ran + 90);
    const [ran, held] = [after.ran - before.ran, after.held - before.held];
    console.log(`${name}, ${path}: a finger was down in ${ran} steps, and held in ${held}; ${after.cancels} times "pointercancel"`);
    assert.deepEqual([held, after.cancels, after.presses], [ran, 0, 1]);
    await up();
    await seen(({ held, ran }) => held < ran - before.ran + before.held);
    assert.equal(await ask("scrollY"), 0);
    await ask("game.stop()");
    assert.equal(await ask("getComputedStyle(document.querySelector('canvas') ?? document.body).touchAction"), "auto");
  }
});
close();
