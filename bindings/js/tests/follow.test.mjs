// A clock that follows a song or the display.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EvenstepError, FixedTimestep, InputBuffer } from "evenstep";
import { PlaybackClock, RefreshClock } from "evenstep/follow";

/** Numbers from 0 to 1 from a seed. */
function seeded(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

for (const block of [128, 512, 1024, 2048, 4096]) {
  for (const hz of [60, 144]) {
    test(`notes move evenly with a song of blocks of ${block} at ${hz} Hz, and never apart from it`, () => {
      const random = seeded(12345);
      const song = new PlaybackClock({ latency: 0 });
      let last = 0;
      for (let n = 0; n < hz * 180; n++) {
        const now = n / hz + random() * 0.0003;
        const truth = now * (1 + 200e-6);
        song.report({ at: now * 1000 + 1000, position: (Math.floor((truth * 48_000) / block) * block) / 48 });
        const time = song.beginFrame(now * 1000 + 1000);
        if (n > hz * 5) {
          assert.ok(Math.abs(((time - last) * hz) / 1000 - 1) < 0.01, `${time - last} ms in frame ${n}`);
          for (const position of [song.position, song.positionAt(now * 1000 + 1000)]) {
            assert.ok(Math.abs(position - truth * 1000) < 4, `${position} at ${truth * 1000}`);
          }
        }
        last = time;
      }
      assert.ok(song.isFollowing && Math.abs(song.speed - 1.0002) < 0.001);
    });
  }
}

test("a loop that cuts its last block is followed round its points", () => {
  for (const [block, length, hz] of [[1024, 1.75, 60], [4096, 0.287, 60], [4096, 0.435, 144], [4800, 0.509, 144]]) {
    const random = seeded(5);
    const song = new PlaybackClock({ loopPoints: [0, length * 1000] });
    let last = 0;
    for (let n = 0; n < hz * 60; n++) {
      const now = n / hz + random() * 0.0003;
      const truth = now % length;
      song.report({ at: now * 1000, position: (Math.floor((truth * 48_000) / block) * block) / 48 });
      const time = song.beginFrame(now * 1000);
      if (n > hz * 10) {
        assert.ok(Math.abs(((time - last) * hz) / 1000 - 1) < 0.01, `${time - last} ms in frame ${n}, blocks of ${block}`);
        const off = Math.abs(song.positionAt(now * 1000) / 1000 - truth);
        assert.ok(Math.min(off, length - off) < 0.005, `${off} s off in frame ${n}, blocks of ${block}`);
      }
      last = time;
    }
  }
});

test("after many seeks that begin a block the blocks are still known", () => {
  for (const [block, hz] of [[800, 59.94], [800, 60], [1024, 75], [4096, 144]]) {
    for (let seed = 1; seed < 9; seed++) {
      const random = seeded(seed);
      const song = new PlaybackClock();
      const phase = (random() * block) / 48_000;
      let [moved, last] = [0, 0];
      for (let n = 0; n < hz * 30; n++) {
        const now = n / hz + random() * 0.0003;
        if (n > 0 && n < hz * 20 && n % Math.floor(hz * 2) === 0) moved += random() * 0.3;
        song.report({ at: now * 1000, position: moved * 1000 + (Math.floor(((now + phase) * 48_000) / block) * block) / 48 });
        const time = song.beginFrame(now * 1000);
        if (n > hz * 25) {
          const off = song.positionAt(now * 1000) / 1000 - now - phase - moved;
          assert.ok(Math.abs(off) < Math.min(block / 48_000, 1 / hz) / 2 + 0.001, `${off} s off in frame ${n}, blocks of ${block} at ${hz} Hz, ${seed}`);
          assert.ok(Math.abs(((time - last) * hz) / 1000 - 1) < 0.01, `${time - last} ms in frame ${n}, blocks of ${block} at ${hz} Hz`);
        }
        last = time;
      }
    }
  }
});

test("59.94 pictures a second repeat none on displays of 60, 120, 144 and 240 Hz", () => {
  for (const [hz, refreshes] of [[60, [1]], [120, [2]], [144, [2, 3]], [240, [4]]]) {
    const random = seeded(7);
    const display = new RefreshClock([60_000, 1001]);
    const timestep = new FixedTimestep([60_000, 1001], { clock: display });
    let since = 0;
    for (let n = 0; n < hz * 100; n++) {
      const { steps } = timestep.beginFrame(1000 + (n * 1000) / hz + random() * 0.5);
      since++;
      if (steps === 0) continue;
      assert.ok(n < hz * 10 || (steps === 1 && refreshes.includes(since)), `${hz} Hz: ${since} refreshes, ${steps} steps`);
      since = 0;
    }
    assert.ok(display.isFollowing);
  }
});

test("presses of a pause reach no step, and others one each, in frames that catch up too", () => {
  const song = new PlaybackClock();
  const timestep = new FixedTimestep(120, { clock: song });
  const input = new InputBuffer();
  const random = seeded(3);
  let [played, presses, pushed] = [0, 0, 0];
  for (let n = 0; n < 1200; n++) {
    const now = 50 + (n * 1000) / 60;
    if (n === 600) song.pause();
    if (n === 700) song.resume();
    if (n < 600 || n > 700) played += 1000 / 60;
    if (n % 100 === 50) played -= 80;
    const at = now - 4 - 12 * random();
    input.pressAt(song.timeAt(at), "KeyD");
    input.releaseAt(song.timeAt(at + 3 * random()), "KeyD");
    if (n > 0 && (n < 600 || n > 700)) pushed++;
    song.report({ at: now, position: Math.floor(played / 10) * 10 });
    const frame = timestep.beginFrame(now);
    input.beginFrame(timestep);
    for (const step of frame) {
      input.beginStep(step);
      presses += input.presses("KeyD");
    }
  }
  const { paused, reordered, waiting } = input.counts;
  assert.ok(Math.abs(presses + waiting / 2 - pushed) <= 4, `${presses} presses of ${pushed}`);
  assert.ok(paused >= 200 && reordered === 0, `${paused} in the pause, ${reordered} reordered`);
});

test("a song that waits comes to rest and says so", () => {
  const song = new PlaybackClock();
  for (let n = 0; n < 600; n++) {
    const now = (n * 1000) / 60;
    song.report({ at: now, position: Math.floor(Math.min(now, 5000) / 20) * 20 });
    song.beginFrame(now);
    assert.equal(song.isFollowing, n > 5 && n < 300 ? true : song.isFollowing);
  }
  assert.ok(!song.isFollowing && Math.abs(song.position - 5000) < 100 && song.positionAt(20_000) === song.positionAt(10_000));
});

test("bad input is refused and changes nothing", () => {
  const clock = new PlaybackClock();
  for (const call of [
    () => clock.report({ at: NaN, position: 0 }),
    () => clock.report({ at: 5, position: -1 }),
    () => clock.report(5, 1),
    () => clock.beginFrame("5"),
    () => clock.timeAt(undefined),
    () => clock.setLatency(-1),
    () => clock.setPlaybackRate("fast"),
    () => clock.setLoopPoints(0, Infinity),
    () => new PlaybackClock(7),
    () => new RefreshClock(0),
    () => new FixedTimestep(60, { clock: {} }),
    () => new FixedTimestep(60, { clock }).advance(5),
    () => new FixedTimestep(60, { clock }),
  ]) {
    assert.throws(call, EvenstepError);
  }
  assert.equal(clock.beginFrame(5), 0);
  assert.equal(clock.beginFrame(4), 2); // the lead of the filter: the clock has gone back
});
