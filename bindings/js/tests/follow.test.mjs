// A clock that follows a song or the display.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EvenstepError, FixedTimestep } from "evenstep";
import { FollowClock } from "evenstep/follow";

/** Numbers from 0 to 1 from a seed. */
function seeded(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

for (const block of [128, 512, 1024, 2048, 4096]) {
  for (const hz of [60, 144]) {
    test(`notes move evenly with a song of blocks of ${block} at ${hz} Hz, and never apart from it`, () => {
      const random = seeded(12345);
      const song = new FollowClock({ latency: 0 });
      let last = 0;
      for (let n = 0; n < hz * 180; n++) {
        const now = n / hz + random() * 0.0003;
        const truth = now * (1 + 200e-6);
        song.report(now * 1000 + 1000, (Math.floor((truth * 48_000) / block) * block) / 48);
        const time = song.beginFrame(now * 1000 + 1000);
        if (n > hz * 5) {
          assert.ok(Math.abs(((time - last) * hz) / 1000 - 1) < 0.01, `${time - last} ms in frame ${n}`);
          assert.ok(Math.abs(song.position - truth * 1000) < 8, `${song.position} at ${truth * 1000}`);
        }
        last = time;
      }
      assert.ok(song.isFollowing && Math.abs(song.speed - 1.0002) < 0.001);
    });
  }
}

test("59.94 pictures a second repeat none on displays of 60, 120, 144 and 240 Hz", () => {
  for (const [hz, refreshes] of [[60, [1]], [120, [2]], [144, [2, 3]], [240, [4]]]) {
    const random = seeded(7);
    const display = FollowClock.ofDisplay([60_000, 1001]);
    const timestep = new FixedTimestep([60_000, 1001]);
    let since = 0;
    for (let n = 0; n < hz * 100; n++) {
      const { steps } = timestep.beginFrame(display.beginFrame(1000 + (n * 1000) / hz + random() * 0.5));
      since++;
      if (steps === 0) continue;
      assert.ok(n < hz * 10 || (steps === 1 && refreshes.includes(since)), `${hz} Hz: ${since} refreshes, ${steps} steps`);
      since = 0;
    }
    assert.ok(display.isFollowing);
  }
});

test("bad input is refused and changes nothing", () => {
  const clock = new FollowClock();
  for (const call of [
    () => clock.report(NaN, 0),
    () => clock.report(5, -1),
    () => clock.beginFrame("5"),
    () => clock.timeAt(undefined),
    () => clock.setLatency(-1),
    () => clock.setPlaybackRate("fast"),
    () => clock.setLoopPoints(0, Infinity),
    () => new FollowClock(7),
    () => FollowClock.ofDisplay(0),
  ]) {
    assert.throws(call, EvenstepError);
  }
  assert.equal(clock.beginFrame(5), 0);
  assert.equal(clock.beginFrame(4), 2); // the lead of the filter: the clock has gone back
});
