import { Graphics, Ticker } from "pixi.js";
import { FixedTimestep, Smoothed } from "evenstep";

const sprite = new Graphics();
const ticker = new Ticker();
const step = (dt) => (x.current += 60 * dt);

// In the page of the book:
const timestep = new FixedTimestep(60);
const x = new Smoothed(0);

ticker.maxFPS = 0;
ticker.add(() => {
  const frame = timestep.beginFrame(performance.now());
  for (const { dt } of frame) {
    x.beginStep();
    step(dt);
  }
  sprite.x = x.at(frame.alpha);
});
// Until here.

ticker.start();
window.measured = () => ({ ticks: timestep.tick, state: x.current, drawn: sprite.x });
