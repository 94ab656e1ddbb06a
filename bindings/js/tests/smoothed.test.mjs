// Smoothed numbers, in Node.js.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EvenstepError, Smoothed } from "evenstep";

test("a smoothed state is drawn between its last two values, the shorter way if it wraps", () => {
  const height = new Smoothed(1);
  height.beginStep();
  height.current += 2;
  assert.deepEqual([height.previous, height.current, height.at(0), height.at(0.25), height.at(1)], [1, 3, 1, 1.5, 3]);
  const ship = new Smoothed({ x: 790, heading: 350 }, { wrap: { x: 800, heading: 360 } });
  ship.beginStep();
  Object.assign(ship.current, { x: 10, heading: 10 });
  assert.deepEqual(ship.at(0.5), { x: 800, heading: 360 });
  assert.equal(ship.at(0.5), ship.at(0.6));
  const place = new Smoothed([1, 2]);
  place.beginStep();
  place.set([3, 6]);
  assert.deepEqual(place.at(0.5), [2, 4]);
});

test("a teleported state is drawn at its new position until the next step, and a moved origin is not motion", () => {
  const ship = new Smoothed({ x: 1000, y: 5 });
  ship.beginStep();
  ship.current.x = 0;
  ship.teleport();
  assert.deepEqual([ship.isTeleport, { ...ship.at(0.5) }], [true, { x: 0, y: 5 }]);
  ship.beginStep();
  ship.current.x = 2;
  ship.shift({ x: -1000 });
  assert.deepEqual([ship.isTeleport, { ...ship.at(0.5) }], [false, { x: -999, y: 5 }]);
});

test("bodies at rest are drawn exactly, at every alpha and with every number", () => {
  for (let number = 1e-300; number < 1e300; number *= -1.7e9) {
    const smoothed = new Smoothed(number, { wrap: 2 * Math.PI });
    for (let alpha = -0.1; alpha < 1.1; alpha += 0.01) assert.equal(smoothed.at(alpha), number);
  }
});

test("a value that cannot be smoothed throws an error, and changes nothing", () => {
  const ship = new Smoothed({ x: 1, y: 2 });
  const throws = (code, call) => assert.throws(call, (error) => error instanceof EvenstepError && error.code === code);
  for (const state of [undefined, null, "1", 1n, { x: "1" }, { x: undefined }]) throws("Type", () => new Smoothed(state));
  throws("NotFinite", () => new Smoothed(NaN));
  for (const wrap of [-1, Infinity]) throws("Range", () => new Smoothed(1, { wrap }));
  throws("NotFinite", () => new Smoothed(1, { wrap: NaN }));
  throws("Type", () => new Smoothed(1, { wrap: "360" }));
  throws("Missing", () => new Smoothed([1, 2]).set({ length: 3 }));
  throws("Missing", () => new Smoothed({ x: 1 }, { wrap: { y: 360 } }));
  throws("Missing", () => ship.set({ x: 3, z: 4 }));
  throws("Type", () => ship.shift({ x: 3, y: "4" }));
  throws("Missing", () => ship.set(3));
  throws("Type", () => ship.at());
  throws("NotFinite", () => ship.at(NaN));
  assert.deepEqual([{ ...ship.current }, { ...ship.previous }], [{ x: 1, y: 2 }, { x: 1, y: 2 }]);
});
