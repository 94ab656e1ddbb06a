// planck: a step in each frame, as in the simple loop of its documentation, and equal steps.

import { FixedTimestep } from "evenstep";
import { Poses2 } from "evenstep/poses";
import { type Body, Box, Circle, Edge, World } from "planck";
import { SECONDS, sideBySide, tower } from "./side_by_side";

function createWorld() {
  const world = new World({ x: 0, y: -10 });
  world.createBody().createFixture(new Edge({ x: -50, y: 0 }, { x: 50, y: 0 }), { friction: 0.6 });
  const bodies = tower.boxes.map(([x, y]) => {
    const box = world.createDynamicBody({ x, y });
    box.createFixture(new Box(tower.half, tower.half), { density: 1, friction: 0.4 });
    return box;
  });
  const [x, y] = tower.ball;
  const ball = world.createDynamicBody({ position: { x, y }, linearVelocity: { x: tower.velocity[0], y: tower.velocity[1] } });
  ball.createFixture(new Circle(tower.radius), { density: 4, friction: 0.4 });
  return { world, bodies: [...bodies, ball] };
}

const place = (body: Body) => [body.getPosition().x, body.getPosition().y, body.getAngle()] as const;

sideBySide({
  usual(panel, display) {
    const { world, bodies } = createWorld();
    let steps = 0;
    display.requestAnimationFrame(function run(now) {
      world.step(1 / 60);
      steps++;
      panel.draw(bodies.map(place).flatMap(([x, y, angle]) => [x, y, Math.cos(angle), Math.sin(angle)]));
      if (now < 1000 * SECONDS) display.requestAnimationFrame(run);
      else panel.finish(steps, bodies.flatMap(place));
    });
  },

  equal(panel, display) {
    const { world, bodies } = createWorld();
    const timestep = new FixedTimestep(60);
    const poses = new Poses2();
    for (const body of bodies) poses.add(...place(body));
    display.requestAnimationFrame(function run(now) {
      const frame = timestep.beginFrame(now);
      for (const step of frame) {
        world.step(step.dt);
        bodies.forEach((body, row) => poses.set(row, ...place(body)));
        poses.commit();
        if (step.tick + 1 === 60 * SECONDS) panel.finish(60 * SECONDS, bodies.flatMap(place));
        if (panel.isDone) break;
      }
      panel.draw(poses.draw(panel.isDone ? 1 : frame.alpha));
      if (!panel.isDone) display.requestAnimationFrame(run);
    });
  },
});
