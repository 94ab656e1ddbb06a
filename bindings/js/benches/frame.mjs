// What a plain frame costs, beside an accumulator by hand: node bindings/js/benches/frame.mjs, after npm install and npm run build there.

const { FixedTimestep } = await import(new URL("../dist/evenstep.js", import.meta.url));

const FRAMES = 1_000_000;
const times = Array.from({ length: FRAMES }, (_, frame) => (frame * 1000) / 144);

const ways = {
  "accumulator by hand, in doubles": () => {
    let [previous, rest, steps, sum] = [0, 0, 0, 0];
    for (const now of times) {
      rest += Math.min(now - previous, 250);
      previous = now;
      while (rest >= 1000 / 60) {
        rest -= 1000 / 60;
        steps++;
      }
      sum += rest;
    }
    return steps + sum;
  },
  "FixedTimestep, 60 Hz": () => run(new FixedTimestep(60)),
  "FixedTimestep, 60000/1001 Hz": () => run(new FixedTimestep([60_000, 1001])),
  "FixedTimestep, 60 Hz at 1/10 speed": () => run(new FixedTimestep(60, { timeScale: 0.1 })),
  "FixedTimestep, 60 Hz, carry": () => run(new FixedTimestep(60, { overrun: { carry: 100 } })),
};

function run(timestep) {
  let [steps, sum] = [0, 0];
  for (const now of times) {
    const frame = timestep.beginFrame(now);
    for (const _ of frame) steps++;
    sum += frame.alpha;
  }
  return steps + sum;
}

const rounds = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
let kept = 0;
for (let round = 0; round < 9; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const begun = performance.now();
    kept += way();
    rounds[name].push(((performance.now() - begun) * 1e6) / FRAMES);
  }
}
const median = (numbers) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
const [first] = Object.values(rounds);
for (const [name, costs] of Object.entries(rounds)) {
  const ratio = median(costs.map((cost, round) => cost / first[round]));
  console.log(`${name.padEnd(36)} ${median(costs).toFixed(1).padStart(7)} ns ${ratio.toFixed(2).padStart(7)} x`);
}
if (!Number.isFinite(kept)) throw new Error("nothing was counted");
