// Smoothed numbers, in Node.js.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { EvenstepError, FixedTimestep, Smoothed } from "evenstep";
import { Poses2, Poses3 } from "evenstep/poses";

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

test("a step makes the current state the previous one and runs the simulation, of a number, an object or an array", () => {
  const height = new Smoothed(1);
  height.step((height) => height + 2);
  assert.deepEqual([height.previous, height.current, height.at(0.25)], [1, 3, 1.5]);
  const ship = new Smoothed({ x: 1, y: 5 });
  ship.teleport();
  ship.step((ship) => (ship.x += 2));
  assert.deepEqual([{ ...ship.at(0.5) }, ship.isTeleport], [{ x: 2, y: 5 }, false]);
  const place = new Smoothed([1, 2]);
  place.step((place) => void place.splice(0, 2, 3, 6));
  assert.deepEqual([...place.at(0.5)], [2, 4]);
  // A step that does not return a number is refused, and none.
  for (const wrong of [undefined, 1, () => {}, () => NaN, () => "3"]) {
    assert.throws(() => height.step(wrong), EvenstepError);
    assert.deepEqual([height.previous, height.current], [1, 3]);
  }
});

/** Each kind of state, and how it is made of numbers. */
const KINDS = {
  object: (numbers) => ({ ...numbers }),
  "object without a prototype": (numbers) => Object.assign(Object.create(null), numbers),
  "object of another realm": (numbers) => Object.assign(runInNewContext("({})"), numbers),
  array: (numbers) => [...numbers],
  "array of a class": (numbers) => (class Row extends Array {}).from(numbers),
  "array of another realm": (numbers) => Object.assign(runInNewContext("[]"), numbers),
  ...Object.fromEntries(
    [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array].map((Kind) => [Kind.name, (numbers) => new Kind(numbers)]),
  ),
  "view of a part": (numbers) => new Uint16Array(new Uint16Array([9, ...numbers, 9]).buffer, 2, numbers.length),
  "typed array of a class": (numbers) => new (class Row extends Float32Array {})(numbers),
  "buffer of Node.js": (numbers) => Buffer.from(numbers),
};

test("a state of every kind is drawn as its kind, half way between its ends right to rounding, changed in place, returned or set", () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    for (const how of ["in place", "returned", "returned as an array", "a part returned", "set"]) {
      for (const [from, to] of [[[100, 20], [20, 101]], [[0, 127], [127, 0]], [[5, 5], [5, 5]]]) {
        const state = kind(from);
        const smoothed = new Smoothed(state);
        smoothed.teleport();
        if (how === "set") {
          smoothed.beginStep();
          smoothed.set(kind(to));
        } else {
          smoothed.step((current) => {
            assert.notEqual(current, state);
            if (how === "in place") [current[0], current[1]] = to;
            else if (how === "returned") return kind(to);
            else if (how === "returned as an array") return to;
            else return (current[1] = to[1]), { 0: to[0] };
          });
        }
        const rounds = /int/i.test(Object.prototype.toString.call(state));
        const place = `${name}, ${how}`;
        for (const alpha of [0, 0.25, 0.5, 0.999, 1]) {
          const drawn = smoothed.at(alpha);
          // An object is drawn as one of this realm.
          if (Array.isArray(state) || ArrayBuffer.isView(state)) assert.equal(drawn.constructor, state.constructor, place);
          for (const at of [0, 1]) {
            const wanted = from[at] + (to[at] - from[at]) * alpha;
            assert.ok(Math.abs(drawn[at] - wanted) <= (rounds ? 0.5 : 1e-5), `${place}: ${drawn[at]} for ${wanted}`);
          }
        }
        assert.deepEqual([state[0], state[1]], from, "the program's own state is left alone");
        assert.deepEqual([smoothed.current[0], smoothed.previous[1], smoothed.isTeleport], [to[0], from[1], false]);
      }
    }
  }
});

test("an integer that wraps is drawn the shorter way, within what its array can hold", () => {
  for (const Kind of [Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Uint32Array]) {
    for (const wrap of [200, 250, 255]) {
      for (const [from, to] of [[10, wrap - 10], [wrap - 10, 10], [wrap - 1, 0], [0, wrap - 1]]) {
        const hue = new Smoothed(new Kind([from]), { wrap: [wrap] });
        hue.step((hue) => void (hue[0] = to));
        for (let alpha = 0; alpha <= 1; alpha += 1 / 64) {
          const difference = (hue.at(alpha)[0] - from + wrap) % wrap;
          const way = Math.min(difference, wrap - difference);
          const whole = Math.min(Math.abs(to - from), wrap - Math.abs(to - from));
          assert.ok(Math.abs(way - whole * alpha) <= 0.5, `${Kind.name}, ${from} to ${to} of ${wrap} at ${alpha}: ${hue.at(alpha)[0]}`);
        }
      }
    }
  }
});

test("what cannot be drawn is refused where it is given, or where it is drawn if it was written in place", async () => {
  class Ship {
    x = 1;
  }
  const refused = (call, what) => assert.throws(call, (error) => error instanceof EvenstepError && /Type|NotFinite|Missing/.test(error.code), what);
  const wrong = [undefined, null, "1", "", true, 1n, Symbol("x"), () => 1, NaN, new Date(), new Map([["x", 1]]), new Set([1]), /x/, Promise.resolve(1), new Ship(), new Number(1), new String("12"), new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), new Error("x"), new WeakMap()];
  const parts = [undefined, null, "1", true, 1n, Symbol("x"), () => 1, NaN, new Date(), [1], { x: 1 }, Promise.resolve(1)];
  for (const [at, state] of wrong.entries()) refused(() => new Smoothed(state), `state ${at}`);
  for (const [at, part] of parts.entries()) {
    for (const state of [{ x: part }, [1, part], { x: 1, name: part }]) refused(() => new Smoothed(state), `part ${at}`);
    // Written in place; a typed array converts, or throws itself.
    for (const [state, name] of [[{ x: 1 }, "x"], [[1], 0]]) {
      const smoothed = new Smoothed(state);
      smoothed.step((state) => void (state[name] = part));
      refused(() => smoothed.at(0.5), `part ${at} in place`);
      refused(() => smoothed.at(1), `part ${at} in place`);
      smoothed.step((state) => void (state[name] = 2));
      refused(() => smoothed.at(0.5), `part ${at} before`);
      smoothed.step(() => {});
      assert.equal(smoothed.at(0.5)[name], 2);
    }
  }
  refused(() => new Smoothed(new BigInt64Array(1)));
  refused(() => new Smoothed([1, , 3]));
  for (const [at, returned] of [...wrong, ...parts.map((x) => ({ x })), { y: 1 }, [1]].entries()) {
    // What is no object is the value of an assignment.
    if (typeof returned !== "object" || returned === null) continue;
    const ship = new Smoothed({ x: 1 });
    if (returned instanceof Ship) continue; // has the state's own numbers
    refused(() => ship.step(() => returned), `returned ${at}`);
    refused(() => ship.set(returned), `set ${at}`);
    refused(() => ship.shift(returned), `shift ${at}`);
    assert.deepEqual({ ...ship.current }, { x: 1 });
  }
  await assert.rejects(async () => new Smoothed(1).step(async (x) => x + 1), EvenstepError);
  // The language itself refuses a number that is new.
  assert.throws(() => new Smoothed([1, 2]).step((state) => void state.push(3)), TypeError);
  assert.throws(() => new Smoothed({ x: 1 }).step((state) => void (state.y = 3)), TypeError);
  const gone = new Smoothed({ x: 1 });
  gone.step((state) => delete state.x);
  refused(() => gone.at(0.5));
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

test("a shot from a moving gun is drawn at its mouth, in each door, in each order, at each rate", () => {
  const shots = {
    Smoothed: () => {
      let x;
      return {
        spawn: (now, before) => {
          x = new Smoothed(now);
          x.setPrevious(before);
        },
        move: (to) => (x.beginStep(), x.set(to)),
        commit() {},
        draw: (alpha) => x.at(alpha),
      };
    },
    "a Smoothed from a pool": () => {
      const x = new Smoothed({ x: -500 });
      return {
        spawn: (now, before) => {
          x.set({ x: now });
          x.teleport();
          x.setPrevious({ x: before });
        },
        move: (to) => (x.beginStep(), x.set({ x: to })),
        commit() {},
        draw: (alpha) => x.at(alpha).x,
      };
    },
    Poses2: () => {
      const poses = new Poses2();
      return {
        spawn: (now, before) => poses.setPrevious(poses.add(now, 0), before, 0, 0),
        move: (to) => poses.set(0, to, 0, 0),
        commit: () => poses.commit(),
        draw: (alpha) => poses.draw(alpha)[0],
      };
    },
    "Poses3 from a pool": () => {
      const poses = new Poses3();
      poses.add(-500, 0, 0);
      return {
        spawn: (now, before) => {
          poses.set(0, now, 0, 0);
          poses.teleport(0);
          poses.setPrevious(0, before, 0, 0);
        },
        move: (to) => poses.set(0, to, 0, 0),
        commit: () => poses.commit(),
        draw: (alpha) => poses.draw(alpha)[0],
      };
    },
  };
  for (const [door, make] of Object.entries(shots)) {
    for (const rate of [20, 60, 144]) {
      for (const display of [30, 60, 144, 240]) {
        for (const when of ["before the commit", "after the commit"]) {
          // What waits for a commit cannot be drawn before it.
          if (door.includes("pool") && door.startsWith("Poses") && when === "after the commit") continue;
          const [timestep, gun, shot] = [new FixedTimestep(rate), new Smoothed(0), make()];
          let at;
          for (let index = 0; index < 2 * display; index++) {
            const frame = timestep.beginFrame(1000 + (index * 1000) / display);
            for (const { tick, dt } of frame) {
              gun.beginStep();
              gun.current += 10 * dt;
              if (at !== undefined) shot.move((at += 10 * dt));
              const spawn = () => tick === 9 && shot.spawn((at = gun.current + 2), at - 10 * dt);
              if (when === "before the commit") spawn();
              shot.commit();
              if (when === "after the commit") spawn();
            }
            const gap = at === undefined ? 2 : shot.draw(frame.alpha) - gun.at(frame.alpha);
            assert.ok(Math.abs(gap - 2) < 1e-5, `${door}, spawned ${when}, ${rate} steps at ${display} Hz: ${gap}`);
          }
        }
      }
    }
  }
});

test("rows that come, go, move with the origin and teleport keep the states that they were spawned with", () => {
  const poses = new Poses2();
  for (let row = 0; row < 3; row++) poses.add(10 * row, 0);
  poses.commit();
  const shot = poses.add(100, 0);
  poses.setPrevious(shot, 90, 0, 0);
  poses.remove(0); // the shot takes its number
  poses.shift(0, -50, 0);
  poses.commit();
  assert.deepEqual([...poses.draw(0.5).slice(0, 2)], [45, 0]);
  poses.commit();
  assert.equal(poses.draw(0.5)[0], 50, "at rest after a step without motion");
  poses.setPrevious(0, 40, 0, 0);
  poses.set(0, 60, 0, 0);
  poses.commit();
  assert.equal(poses.draw(0.5)[0], 55, "the motion of a later step");
  poses.set(0, 500, 0, 0);
  poses.setPrevious(0, 490, 0, 0);
  poses.teleport(0);
  poses.commit();
  assert.equal(poses.draw(0.5)[0], 500, "the last word counts");
  for (const wrong of [() => poses.setPrevious(9, 0, 0, 0), () => poses.setPrevious(0, NaN, 0, 0), () => new Smoothed(1).setPrevious("1")]) {
    assert.throws(wrong, EvenstepError);
  }
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
  for (const state of [NaN, Infinity]) throws("NotFinite", () => new Smoothed(state));
  throws("Range", () => new Smoothed(1, { wrap: -1 }));
  for (const wrap of [NaN, Infinity]) throws("NotFinite", () => new Smoothed(1, { wrap }));
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
