// A tower of eight cubes that falls, and a world of Bullet for it: for the test of engines, and for a figure of the lab's page.

/** A cube: position (3 numbers, m), rotation (4), velocity (3, m/s) and angular velocity (3, rad/s). */
export const TOWER = Array.from({ length: 8 }, (_, n) => [0.2 * n, 0.5 + 1.02 * n, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
export const [CUBE, FLOOR, FLOOR_AT] = [[0.5, 0.5, 0.5], [50, 0.5, 50], [0, -0.5, 0, 0, 0, 0, 1]];

/** Makes worlds of cubes on a floor, by an `Ammo` that has been loaded. */
export const bullet = (A) => (cubes) => {
  const made = [];
  const make = (kind, ...settings) => {
    made.unshift(new A[kind](...settings));
    return made[0];
  };
  const vector = (numbers) => make("btVector3", ...numbers);
  const settings = make("btDefaultCollisionConfiguration");
  const parts = [make("btCollisionDispatcher", settings), make("btDbvtBroadphase"), make("btSequentialImpulseConstraintSolver")];
  const world = make("btDiscreteDynamicsWorld", ...parts, settings);
  world.setGravity(vector([0, -9.81, 0]));
  const create = (half, mass, place) => {
    const [shape, inertia] = [make("btBoxShape", vector(half)), vector([0, 0, 0])];
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    const at = make("btTransform", make("btQuaternion", ...place.slice(3, 7)), vector(place.slice(0, 3)));
    const info = make("btRigidBodyConstructionInfo", mass, make("btDefaultMotionState", at), shape, inertia);
    const body = make("btRigidBody", info);
    world.addRigidBody(body);
    return body;
  };
  const floor = create(FLOOR, 0, FLOOR_AT);
  const bodies = cubes.map((cube) => {
    const body = create(CUBE, 1, cube);
    body.setLinearVelocity(vector(cube.slice(7, 10)));
    body.setAngularVelocity(vector(cube.slice(10)));
    return body;
  });
  const numbers = (vector) => [vector.x(), vector.y(), vector.z()];
  return {
    step: (dt) => world.stepSimulation(dt, 0),
    cubes: () =>
      bodies.map((body) => {
        const at = body.getWorldTransform();
        const place = [...numbers(at.getOrigin()), ...numbers(at.getRotation()), at.getRotation().w()];
        return [...place, ...numbers(body.getLinearVelocity()), ...numbers(body.getAngularVelocity())];
      }),
    free: () => {
      for (const body of [...bodies, floor]) world.removeRigidBody(body);
      made.forEach((object) => A.destroy(object));
    },
  };
};
