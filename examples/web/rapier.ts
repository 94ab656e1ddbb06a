// Rapier: a step in each frame, and equal steps.

import RAPIER from "@dimforge/rapier2d-compat";
import { FixedTimestep } from "evenstep";
import { Poses2 } from "evenstep/poses";
import { SECONDS, sideBySide, tower } from "./side_by_side";

await RAPIER.init();

function createWorld() {
  const world = new RAPIER.World({ x: 0, y: -10 });
  world.createCollider(RAPIER.ColliderDesc.cuboid(50, 1).setTranslation(0, -1));
  const bodies = tower.boxes.map(([x, y]) => {
    const box = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y));
    world.createCollider(RAPIER.ColliderDesc.cuboid(tower.half, tower.half), box);
    return box;
  });
  const ball = RAPIER.RigidBodyDesc.dynamic().setTranslation(...tower.ball).setLinvel(...tower.velocity);
  bodies.push(world.createRigidBody(ball));
  world.createCollider(RAPIER.ColliderDesc.ball(tower.radius).setDensity(4), bodies.at(-1));
  return { world, bodies };
}

const place = (body: RAPIER.RigidBody) => [body.translation().x, body.translation().y, body.rotation()] as const;

sideBySide({
  usual(panel, display) {
    const { world, bodies } = createWorld();
    let steps = 0;
    display.requestAnimationFrame(function run(now) {
      world.step();
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
        world.timestep = step.dt;
        world.step();
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
