import Matter from "matter-js";
import { FixedTimestep, Smoothed } from "evenstep";

const engine = Matter.Engine.create({ gravity: { x: 0, y: 0 } });
const body = Matter.Bodies.circle(0, 0, 10, { frictionAir: 0 });
Matter.Composite.add(engine.world, body);
Matter.Body.setVelocity(body, { x: 1, y: 0 });
let shown = 0;
const draw = (position) => (shown = position.x);

// In the page of the book:
const timestep = new FixedTimestep(60);
const position = new Smoothed({ x: body.position.x, y: body.position.y });

// In place of Matter.Runner.run(engine):
requestAnimationFrame(function onFrame(now) {
  const frame = timestep.beginFrame(now);
  for (const { dt } of frame) {
    position.beginStep();
    Matter.Engine.update(engine, 1000 * dt);
    position.set(body.position);
  }
  draw(position.at(frame.alpha));
  requestAnimationFrame(onFrame);
});
// Until here.

window.measured = () => ({ ticks: timestep.tick, state: body.position.x, drawn: shown });
