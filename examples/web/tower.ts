// A tower of boxes, and a ball that is shot at it.

import { type Body, Box, Circle, Edge, World } from "planck";

export const BOXES = 18;
/** Half the width of a box, and the radius of the ball, in metres. */
export const HALF = 0.4;
export const RADIUS = 0.45;

/** The world, and its bodies: the boxes, then the ball. */
export function createTower() {
  const world = new World({ x: 0, y: -10 });
  world.createBody().createFixture(new Edge({ x: -50, y: 0 }, { x: 50, y: 0 }), { friction: 0.6 });
  const bodies = Array.from({ length: BOXES }, (_, box) => {
    const body = world.createDynamicBody({ x: 1 + 0.85 * (box % 3), y: HALF + 2 * HALF * Math.floor(box / 3) });
    body.createFixture(new Box(HALF, HALF), { density: 1, friction: 0.4 });
    return body;
  });
  const ball = world.createDynamicBody({ position: { x: -4.2, y: 1.6 }, linearVelocity: { x: 12, y: 3 } });
  ball.createFixture(new Circle(RADIUS), { density: 4, friction: 0.4 });
  return { world, bodies: [...bodies, ball] };
}

/** Where a body is: x, y and its angle. */
export const place = (body: Body) => [body.getPosition().x, body.getPosition().y, body.getAngle()] as const;
