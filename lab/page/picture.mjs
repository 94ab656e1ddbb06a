// The picture that a link to the page shows: two seconds of the five loops at 30 Hz, by the page's own module, as a PNG of 1200 × 630.

import { readFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 30];
const [PAPER, CARD, RAW, SMOOTH] = [[20, 23, 26], [28, 32, 36], [251, 139, 75], [116, 169, 255]];

/** The balls of each loop, frame by frame: x and y in metres. */
async function simulate() {
  const { LoopsFigure, initSync } = await import("./src/wasm/core/core.js");
  initSync({ module: readFileSync(new URL("./src/wasm/core/core_bg.wasm", import.meta.url)) });
  const figure = new LoopsFigure(50, 5000, "semi-implicit-euler");
  figure.set_display("30", 0);
  const lanes = LoopsFigure.titles().map(() => []);
  for (let elapsed = 0; elapsed < 2000; elapsed += 20) {
    const numbers = figure.advance(20);
    for (let at = 0; at < numbers.length; at += 4) lanes[(at / 4) % lanes.length].push([numbers[at + 1], numbers[at + 2]]);
  }
  figure.free();
  return lanes;
}

/** The bytes of the picture. */
export async function picture() {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  const rectangle = (left, top, right, bottom, colour) => {
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) pixels.set(colour, 3 * (y * WIDTH + x));
  };
  const disc = (centreX, centreY, radius, colour, opacity) => {
    for (let y = Math.floor(centreY - radius); y <= centreY + radius; y++) {
      for (let x = Math.floor(centreX - radius); x <= centreX + radius; x++) {
        const cover = opacity * Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(x - centreX, y - centreY)));
        const at = 3 * (y * WIDTH + x);
        for (let part = 0; part < 3; part++) pixels[at + part] += cover * (colour[part] - pixels[at + part]);
      }
    }
  };
  rectangle(0, 0, WIDTH, HEIGHT, PAPER);
  const lanes = await simulate();
  const size = (HEIGHT - MARGIN) / lanes.length;
  lanes.forEach((balls, lane) => {
    const [top, bottom] = [Math.round(MARGIN + lane * size), Math.round(lane * size + size)];
    rectangle(MARGIN, top, WIDTH - MARGIN, bottom, CARD);
    const colour = lane === lanes.length - 1 ? SMOOTH : RAW;
    balls.forEach(([x, y], frame) => {
      const isLast = frame === balls.length - 1;
      const at = [WIDTH / 2 + (x / 2) * (WIDTH / 2 - 70), bottom - 18 - (y / 1.25) * (bottom - top - 36)];
      disc(...at, isLast ? 15 : 6, colour, isLast ? 1 : 0.25 + (0.6 * frame) / balls.length);
    });
  });
  return png(pixels);
}

/** A PNG of RGB pixels: https://www.w3.org/TR/png-3/. */
function png(pixels) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8); // bits a channel, and RGB
  const rows = Array.from({ length: HEIGHT }, (_, y) => Buffer.concat([Buffer.from([0]), pixels.subarray(3 * y * WIDTH, 3 * (y + 1) * WIDTH)]));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
