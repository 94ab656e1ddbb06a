// What a frame costs, beside MainLoop.js and an accumulator by hand: node bindings/js/benches/frame.mjs, after npm install and npm run
// build there.

const { DisplayClock, FixedTimestep } = await import(new URL("../dist/evenstep.js", import.meta.url));

const FRAMES = 1_000_000;
const ROUNDS = 9;

/** The times of a display at 144 Hz. */
const timeOf = (frame) => (frame * 1000) / 144;

// MainLoop.js asks for frames; these are given to it.
let pending;
globalThis.window = globalThis;
globalThis.requestAnimationFrame = (callback) => (pending = callback);
globalThis.cancelAnimationFrame = () => (pending = undefined);
const { default: MainLoop } = await import("mainloop.js");

const ways = {
  "accumulator by hand, in doubles": () => {
    let [previous, rest, steps, sum] = [0, 0, 0, 0];
    for (let number = 0; number < FRAMES; number++) {
      const now = timeOf(number);
      rest += Math.min(now - previous, 250);
      previous = now;
      while (rest >= 1000 / 60) {
        rest -= 1000 / 60;
        steps++;
      }
      sum += rest;
    }
    return [steps, sum];
  },
  "MainLoop.js 1.0": () => {
    let [steps, sum] = [0, 0];
    MainLoop.setUpdate(() => steps++);
    MainLoop.setDraw((alpha) => (sum += alpha));
    MainLoop.start();
    for (let number = 0; number < FRAMES; number++) pending(timeOf(number));
    MainLoop.stop().resetFrameDelta();
    return [steps, sum];
  },
  FixedTimestep: () => run(new FixedTimestep(60)),
  "FixedTimestep with a DisplayClock": () => run(new FixedTimestep(60, { filter: new DisplayClock() })),
};

function run(timestep) {
  let [steps, sum] = [0, 0];
  for (let number = 0; number < FRAMES; number++) {
    const frame = timestep.beginFrame(timeOf(number));
    for (const _ of frame) steps++;
    sum += frame.alpha;
  }
  return [steps, sum];
}

const rounds = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const begun = performance.now();
    const [steps, sum] = way();
    rounds[name].push(((performance.now() - begun) * 1e6) / FRAMES);
    // All ways run the same steps, but for one of a rounding.
    if (Math.abs(steps - (FRAMES * 60) / 144) > 2 || !Number.isFinite(sum)) throw new Error(`${name} ran ${steps} steps`);
  }
}
const median = (numbers) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
const [first] = Object.values(rounds);
console.log("npm: one frame of 144 Hz, steps at 60 Hz");
for (const [name, costs] of Object.entries(rounds)) {
  const ratio = median(costs.map((cost, round) => cost / first[round]));
  console.log(`  ${name.padEnd(34)} ${median(costs).toFixed(2).padStart(9)} ns  ${ratio.toFixed(2).padStart(6)} x`);
}
