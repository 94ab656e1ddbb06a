// The same with evenstep, and drawn between the last two states.
import { FixedTimestep, Smoothed } from "evenstep";

const [timestep, x] = [new FixedTimestep(50), new Smoothed(0)];
requestAnimationFrame(function onFrame(now) {
  const frame = timestep.beginFrame(now); // clock
  for (const { dt } of frame) {
    x.step((x) => x + 2 * dt); // step: always 20 ms
  }
  document.title = x.at(frame.alpha).toFixed(3); // draw: between the last two states
  requestAnimationFrame(onFrame);
});
