// Poses have the bits of the core: the rows of bindings/c/tests/blend.c, made from the same seed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Poses2, Poses3 } from "evenstep/poses";

const U64 = (1n << 64n) - 1n;
const f = Math.fround;
let state = 7n;

/** splitmix64, S. Vigna. */
function between(least, most) {
  state = (state + 0x9e3779b97f4a7c15n) & U64;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & U64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & U64;
  return least + ((most - least) * Number((z ^ (z >> 31n)) >> 40n)) / 16777216;
}

function anyUnit(count) {
  const parts = Array.from({ length: count }, () => f(between(-1, 1)));
  const square = parts.reduce((sum, part) => sum + part * part, 0);
  let length = 1;
  for (let round = 0; round < 40; round++) length = 0.5 * (length + square / length);
  return parts.map((part) => f(part / length));
}

/** The parts of a row that poses have; it draws the numbers of the others, too. */
function anyRow() {
  between(0, 3);
  between(-1000, 1000);
  const floats = Array.from({ length: 3 }, () => f(between(-1000, 1000)));
  const [rot2, quat] = [anyUnit(2), anyUnit(4)];
  for (let other = 0; other < 12 + 3 + 6 + 2; other++) between(0, 1);
  return { floats, rot2, quat };
}

/** A state a little later. */
function turned({ floats, rot2, quat }) {
  const moved = quat.map((part) => f(part + f(between(-0.05, 0.05))));
  const square = moved.reduce((sum, part) => sum + part * part, 0);
  const cos = f(rot2[0] + f(f(0.01) * rot2[1]));
  const sin = f(rot2[1] - f(f(0.01) * cos));
  for (let other = 0; other < 12; other++) between(0, 1);
  return { floats, rot2: [cos, sin], quat: moved.map((part) => f(part * (1.5 - 0.5 * square))) };
}

const ROWS = 20_000;
const rows = Array.from({ length: ROWS }, (_, row) => {
  const alpha = between(0, 1);
  const older = anyRow();
  return { alpha, older, newer: row % 2 === 0 ? anyRow() : turned(older) };
});

test("poses in the plane and in space have the bits of the core", () => {
  const [plane, space] = [new Poses2(), new Poses3()];
  plane.add(0, 0);
  space.add(0, 0, 0);
  let hash = 0n;
  const bits = new DataView(new ArrayBuffer(4));
  for (const { alpha, older, newer } of rows) {
    for (const { floats, rot2, quat } of [older, newer]) {
      plane.commit([floats[0], floats[1], ...rot2]);
      space.commit([...floats, ...quat]);
    }
    const [p, s] = [plane.draw(alpha), space.draw(alpha)];
    assert.deepEqual([p[0], p[1]], [s[0], s[1]]);
    for (const part of [s[0], s[1], s[2], p[2], p[3], s[3], s[4], s[5], s[6]]) {
      bits.setFloat32(0, part);
      hash = ((hash ^ BigInt(bits.getUint32(0))) * 0x9e3779b185ebca87n) & U64;
      hash = ((hash << 27n) | (hash >> 37n)) & U64;
    }
  }
  const stored = readFileSync(new URL("../../../stored/random-scripts.txt", import.meta.url), "utf8");
  assert.match(stored, new RegExp(`^poses ${hash.toString(16).padStart(16, "0")}$`, "m"));
});
