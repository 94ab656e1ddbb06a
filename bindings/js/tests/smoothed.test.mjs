// Smoothed numbers, in Node.js.

import assert from "node:assert/strict";
import { test } from "node:test";
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
