// A game for two thumbs, as the book's page says, without listeners of its own, played by touches in Chromium and, where it is installed, in
// Firefox. node --experimental-websocket thumbs.mjs PROJECT, called by cargo ci. In PROJECT the npm package is installed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { inBrowsers, serve, until } from "./browsers.mjs";

const project = resolve(process.argv[2]);

/** The left thumb moves the ship, from where it went down; the right one aims, and fires four times a second while it is down. */
const game = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 0 } canvas { width: 320px; border: 5px solid gray }</style>
<canvas width="640" height="400"></canvas><p style="height: 3000px">A page that scrolls.</p>
<script type="module">
  import { Smoothed, loop } from "./node_modules/evenstep/dist/evenstep.js";
  import { Pointers } from "./node_modules/evenstep/dist/pointers.js";

  const canvas = document.querySelector("canvas");
  const context = canvas.getContext("2d");
  const ship = new Smoothed({ x: 320, y: 200 });
  let aim = 0;
  const shots = [];

  const game = loop({
    target: canvas,
    maxFps: 60,
    step(dt, input, tick) {
      ship.beginStep();
      for (const { isDown, x, y, startX, startY, since } of pointers.of(tick)) {
        if (!isDown) continue;
        const [right, down] = [x - startX, y - startY];
        if (startX < 320) {
          ship.current.x = Math.min(Math.max(ship.current.x + 2 * right * dt, 10), 630);
          ship.current.y = Math.min(Math.max(ship.current.y + 2 * down * dt, 10), 390);
        } else {
          if (right || down) aim = Math.atan2(down, right);
          if ((tick - since) % 15 === 14) shots.push({ tick, aim, x: ship.current.x, y: ship.current.y });
        }
      }
    },
    draw(alpha) {
      const { x, y } = ship.at(alpha);
      context.clearRect(0, 0, 640, 400);
      context.fillRect(x - 10, y - 10, 20, 20);
      context.fillRect(x + 20 * Math.cos(aim) - 3, y + 20 * Math.sin(aim) - 3, 6, 6);
    },
  });
  const pointers = new Pointers(game.timestep, canvas);
  game.start();

  Object.assign(window, { ship, shots, look: () => ({ x: ship.current.x, y: ship.current.y, aim, shots: shots.length, tick: game.timestep.tick, scroll: scrollY }) });
</script>`;

const { origin, close } = await serve((path) => {
  if (path === "/") return game;
  return path.startsWith("/node_modules/evenstep/dist/") && extname(path) === ".js" ? readFileSync(project + path, "utf8") : undefined;
});

await inBrowsers(async (name, browser) => {
  const { ask, down, move, up } = await browser.open(`${origin}/`);
  const look = (is) => until(ask, "window.look?.()", is);
  const wait = async (steps) => {
    const { tick } = await look((state) => state !== undefined);
    return look((state) => state.tick >= tick + steps);
  };
  await wait(5);
  // The left thumb, alone: 40 pixels of the screen are 80 of the canvas, 160 of the canvas a second.
  await down(60, 100, 1);
  await move(100, 100, 1);
  await look(({ x }) => x > 340);
  const moving = await wait(30);
  assert.ok(moving.y > 195 && moving.y < 205 && moving.shots === 0, `${name}: ${JSON.stringify(moving)}`);
  // The right one aims up and fires; the left one goes on.
  await down(260, 100, 2);
  await move(260, 60, 2);
  const both = await look(({ shots, aim }) => shots >= 2 && Math.abs(aim + Math.PI / 2) < 0.1);
  assert.ok(both.x > moving.x || both.x === 630, name);
  // The left one back to the middle of its stick: the ship stands. The right one to the left.
  await move(60, 100, 1);
  await move(220, 100, 2);
  await look(({ aim }) => Math.abs(Math.abs(aim) - Math.PI) < 0.1);
  const still = await wait(10);
  const later = await wait(20);
  assert.equal(later.x, still.x, `${name}: the ship stands`);
  // The right one lifts: no shot more. The left one moves the ship down.
  await up(2);
  const quiet = await wait(10);
  await move(60, 130, 1);
  const fallen = await look(({ y }) => y > 260);
  assert.equal(fallen.shots, quiet.shots, name);
  // The left one lifts, and a new one on the right is a right one.
  await up(1);
  await wait(5);
  await down(250, 150, 3);
  await move(290, 150, 3);
  const last = await look(({ aim, shots }) => Math.abs(aim) < 0.1 && shots > quiet.shots);
  await up(3);
  const end = await wait(20);
  assert.deepEqual([end.x, end.y, end.scroll], [last.x, last.y, 0], name);
  console.log(`${name}: two thumbs moved the ship to ${end.x.toFixed(0)}, ${end.y.toFixed(0)} and fired ${end.shots} times`);
});
close();
