// A force for a second, by what a game does with it: planck clears the forces of a world at the end of each step.

import { FixedTimestep } from "evenstep";
import { Box, World } from "planck";
import { Display } from "./display";

const RATES = [30, 60, 144, 240];

/** In m/s²; the body has 1 kg, and is pushed for a second. */
const PUSH = 2;

/** The ways: what a game does with the force, and how it runs a frame's steps. */
const ways: [name: string, isInEachStep: boolean, isCleared: boolean][] = [
  ["once a frame: the engine clears it after the first step", false, true],
  ["once a frame, cleared after the frame's last step", false, false],
  ["in each step", true, true],
];

/** The speed after a second, in m/s. */
function speedAfterPush(hz: number, isInEachStep: boolean, isCleared: boolean): number {
  const world = new World({ x: 0, y: 0 });
  world.setAutoClearForces(isCleared);
  const body = world.createDynamicBody();
  body.createFixture(new Box(0.5, 0.5), { density: 1 });
  const push = () => body.applyForceToCenter({ x: PUSH * body.getMass(), y: 0 });
  const timestep = new FixedTimestep(60);
  const display = new Display(hz, 0);
  let speed = NaN;
  display.requestAnimationFrame(function run(now) {
    const frame = timestep.beginFrame(now);
    if (!isInEachStep) push();
    for (const step of frame) {
      if (isInEachStep) push();
      world.step(step.dt);
      if (step.tick === 59) speed = body.getLinearVelocity().x;
    }
    if (!isCleared) world.clearForces();
    display.requestAnimationFrame(run);
  });
  display.pass(1100);
  return speed;
}

const table = document.querySelector("#forces tbody")!;
for (const [name, isInEachStep, isCleared] of ways) {
  const row = document.createElement("tr");
  const speeds = RATES.map((hz) => speedAfterPush(hz, isInEachStep, isCleared).toFixed(2));
  for (const text of [name, ...speeds]) row.append(Object.assign(document.createElement("td"), { textContent: text }));
  row.className = speeds.every((speed) => speed === PUSH.toFixed(2)) ? "smooth" : "raw";
  table.append(row);
}
