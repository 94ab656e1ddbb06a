// matter-js: its own runner, and equal steps.

import { FixedTimestep } from "evenstep";
import { Poses2 } from "evenstep/poses";
import Matter from "matter-js";
import { SECONDS, sideBySide, tower } from "./side_by_side";

const SCALE = 50; // matter-js likes pixels, and y points down

function createWorld() {
  const engine = Matter.Engine.create();
  const at = ([x, y]: [number, number]) => [SCALE * x, -SCALE * y] as const;
  const boxes = tower.boxes.map((box) => Matter.Bodies.rectangle(...at(box), SCALE * 0.8, SCALE * 0.8));
  const ball = Matter.Bodies.circle(...at(tower.ball), SCALE * tower.radius, { density: 0.004 });
  Matter.Body.setVelocity(ball, { x: (tower.velocity[0] * SCALE) / 60, y: (-tower.velocity[1] * SCALE) / 60 });
  const ground = Matter.Bodies.rectangle(0, SCALE, 5000, 2 * SCALE, { isStatic: true });
  const bodies = [...boxes, ball];
  Matter.Composite.add(engine.world, [ground, ...bodies]);
  return { engine, bodies };
}

const place = (body: Matter.Body) => [body.position.x / SCALE, -body.position.y / SCALE, -body.angle] as const;
const state = (bodies: Matter.Body[]) => bodies.flatMap((body) => [body.position.x, body.position.y, body.angle]);

sideBySide({
  usual(panel, display) {
    const { engine, bodies } = createWorld();
    const runner = Matter.Runner.create();
    let steps = 0;
    Matter.Events.on(runner, "afterUpdate", () => steps++);
    display.requestAnimationFrame(function run(now) {
      Matter.Runner.tick(runner, engine, now);
      panel.draw(bodies.map(place).flatMap(([x, y, angle]) => [x, y, Math.cos(angle), Math.sin(angle)]));
      if (now < 1000 * SECONDS) display.requestAnimationFrame(run);
      else panel.finish(steps, state(bodies));
    });
  },

  equal(panel, display) {
    const { engine, bodies } = createWorld();
    const timestep = new FixedTimestep(60);
    const poses = new Poses2();
    for (const body of bodies) poses.add(...place(body));
    display.requestAnimationFrame(function run(now) {
      const frame = timestep.beginFrame(now);
      for (const step of frame) {
        Matter.Engine.update(engine, 1000 * step.dt);
        bodies.forEach((body, row) => poses.set(row, ...place(body)));
        poses.commit();
        if (step.tick + 1 === 60 * SECONDS) panel.finish(60 * SECONDS, state(bodies));
        if (panel.isDone) break;
      }
      panel.draw(poses.draw(panel.isDone ? 1 : frame.alpha));
      if (!panel.isDone) display.requestAnimationFrame(run);
    });
  },
});
