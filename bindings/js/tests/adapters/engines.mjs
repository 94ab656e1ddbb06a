// Towers of eight cubes that fall, in Jolt, Bullet, PhysX and Havok: what equal steps make equal, and what of an engine's state has to be kept.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { CUBE, FLOOR, FLOOR_AT, TOWER, bullet } from "./bullet.mjs";

/** For each engine, what makes a world of cubes: `step`, `cubes`, and, where the engine has its own, `save` and `restore`. */
const ENGINES = {
  async Jolt(load) {
    const J = await (await load("jolt-physics")).default();
    return (cubes) => {
      const settings = new J.JoltSettings();
      settings.mMaxBodies = settings.mMaxBodyPairs = settings.mMaxContactConstraints = 1000;
      settings.mMaxWorkerThreads = 0;
      const [pairs, layers] = [new J.ObjectLayerPairFilterTable(2), new J.BroadPhaseLayerInterfaceTable(2, 2)];
      for (const layer of [0, 1]) {
        pairs.EnableCollision(layer, 1);
        layers.MapObjectToBroadPhaseLayer(layer, new J.BroadPhaseLayer(layer));
      }
      settings.mObjectLayerPairFilter = pairs;
      settings.mBroadPhaseLayerInterface = layers;
      settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
      const jolt = new J.JoltInterface(settings);
      const system = jolt.GetPhysicsSystem();
      const create = (half, [x, y, z, ...rotation], type, layer) => {
        const at = [new J.RVec3(x, y, z), new J.Quat(...rotation.slice(0, 4))];
        const body = system.GetBodyInterface().CreateBody(new J.BodyCreationSettings(new J.BoxShape(new J.Vec3(...half), 0.01), ...at, type, layer));
        system.GetBodyInterface().AddBody(body.GetID(), J.EActivation_Activate);
        return body;
      };
      create(FLOOR, FLOOR_AT, J.EMotionType_Static, 0);
      const bodies = cubes.map((cube) => {
        const body = create(CUBE, cube, J.EMotionType_Dynamic, 1);
        body.SetLinearVelocity(new J.Vec3(...cube.slice(7, 10)));
        body.SetAngularVelocity(new J.Vec3(...cube.slice(10)));
        return body;
      });
      const numbers = (vector) => [vector.GetX(), vector.GetY(), vector.GetZ()];
      return {
        step: (dt) => jolt.Step(dt, 1),
        cubes: () =>
          bodies.map((body) => {
            const rotation = body.GetRotation();
            const place = [...numbers(body.GetPosition()), ...numbers(rotation), rotation.GetW()];
            return [...place, ...numbers(body.GetLinearVelocity()), ...numbers(body.GetAngularVelocity())];
          }),
        save: () => {
          const saved = new J.StateRecorderImpl();
          system.SaveState(saved);
          return saved;
        },
        restore: (saved) => {
          saved.Rewind();
          system.RestoreState(saved);
        },
      };
    };
  },

  async Bullet(load) {
    return bullet(await (await load("ammojs-typed")).default());
  },

  async PhysX(load, resolve) {
    const { default: physx } = await load("physx-js-webidl");
    // It is compiled for pages only, and looks whether it is in one.
    const { process } = globalThis;
    Object.assign(globalThis, { window: globalThis, process: undefined });
    const wasmBinary = readFileSync(resolve("physx-js-webidl").replace(/mjs$/, "wasm"));
    const P = await physx({ wasmBinary, locateFile: (name) => name });
    Object.assign(globalThis, { process });
    delete globalThis.window;
    const foundation = P.CreateFoundation(P.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
    const physics = P.CreatePhysics(P.PHYSICS_VERSION, foundation, new P.PxTolerancesScale());
    const dispatcher = P.DefaultCpuDispatcherCreate(0);
    const flags = new P.PxShapeFlags(P.PxShapeFlagEnum.eSCENE_QUERY_SHAPE | P.PxShapeFlagEnum.eSIMULATION_SHAPE);
    return (cubes) => {
      const settings = new P.PxSceneDesc(physics.getTolerancesScale());
      settings.set_gravity(new P.PxVec3(0, -9.81, 0));
      settings.set_cpuDispatcher(dispatcher);
      settings.set_filterShader(P.DefaultFilterShader());
      const scene = physics.createScene(settings);
      const create = (half, kind, place) => {
        const shape = physics.createShape(new P.PxBoxGeometry(...half), physics.createMaterial(0.5, 0.5, 0.1), true, flags);
        shape.setSimulationFilterData(new P.PxFilterData(1, 1, 0, 0));
        const at = new P.PxTransform(new P.PxVec3(...place.slice(0, 3)), new P.PxQuat(...place.slice(3, 7)));
        const body = physics[`createRigid${kind}`](at);
        body.attachShape(shape);
        scene.addActor(body);
        return body;
      };
      create(FLOOR, "Static", FLOOR_AT);
      const bodies = cubes.map((cube) => {
        const body = create(CUBE, "Dynamic", cube);
        P.PxRigidBodyExt.prototype.setMassAndUpdateInertia(body, 1);
        body.setLinearVelocity(new P.PxVec3(...cube.slice(7, 10)));
        body.setAngularVelocity(new P.PxVec3(...cube.slice(10)));
        return body;
      });
      const numbers = (vector) => [vector.get_x(), vector.get_y(), vector.get_z()];
      return {
        step: (dt) => {
          scene.simulate(dt);
          scene.fetchResults(true);
        },
        cubes: () =>
          bodies.map((body) => {
            const at = body.getGlobalPose();
            const place = [...numbers(at.get_p()), ...numbers(at.get_q()), at.get_q().get_w()];
            return [...place, ...numbers(body.getLinearVelocity()), ...numbers(body.getAngularVelocity())];
          }),
      };
    };
  },

  async Havok(load, resolve) {
    const wasmBinary = readFileSync(resolve("@babylonjs/havok/lib/esm/HavokPhysics.wasm"));
    const H = await (await load("@babylonjs/havok")).default({ wasmBinary });
    return (cubes) => {
      const [, world] = H.HP_World_Create();
      H.HP_World_SetGravity(world, [0, -9.81, 0]);
      const create = (half, type, place) => {
        const [, body] = H.HP_Body_Create();
        H.HP_Body_SetShape(body, H.HP_Shape_CreateBox([0, 0, 0], [0, 0, 0, 1], half.map((side) => 2 * side))[1]);
        H.HP_Body_SetMotionType(body, type);
        H.HP_Body_SetQTransform(body, [place.slice(0, 3), place.slice(3, 7)]);
        H.HP_World_AddBody(world, body, false);
        return body;
      };
      create(FLOOR, H.MotionType.STATIC, FLOOR_AT);
      const bodies = cubes.map((cube) => {
        const body = create(CUBE, H.MotionType.DYNAMIC, cube);
        H.HP_Body_SetLinearVelocity(body, cube.slice(7, 10));
        H.HP_Body_SetAngularVelocity(body, cube.slice(10));
        return body;
      });
      return {
        step: (dt) => {
          H.HP_World_SetIdealStepTime(world, dt);
          H.HP_World_Step(world, dt);
        },
        cubes: () =>
          bodies.map((body) => {
            const read = (name) => H[`HP_Body_Get${name}`](body)[1];
            return [...read("QTransform").flat(), ...read("LinearVelocity"), ...read("AngularVelocity")];
          }),
      };
    };
  },
};

/** The largest distance between the places of a cube, in metres. */
const apart = (some, others) =>
  Math.max(...some.map((cube, n) => Math.hypot(...[0, 1, 2].map((axis) => cube[axis] - others[n][axis]))));

/** The cubes after so many steps of a rate. */
function after(steps, rate, world) {
  for (let n = 0; n < steps; n++) world.step(1 / rate);
  return world.cubes();
}

/** Plays the tower in each engine of a project; returns what is wrong. */
export async function engines(project) {
  const { resolve } = createRequire(`${project}/package.json`);
  const load = (name) => import(pathToFileURL(resolve(name)).href);
  const { FixedTimestep } = await load("evenstep");
  const problems = [];
  for (const [name, prepare] of Object.entries(ENGINES)) {
    const create = await prepare(load, resolve);
    const atTick120 = (displayRate) => {
      const [timestep, world] = [new FixedTimestep(60), create(TOWER)];
      for (let n = 0; timestep.tick < 120; n++) {
        for (const step of timestep.beginFrame((n * 1000) / displayRate)) world.step(step.dt);
      }
      return JSON.stringify(world.cubes());
    };
    const isAlike = new Set([30, 60, 144].map(atTick120)).size === 1;
    const byFrame = apart(after(60, 30, create(TOWER)), after(288, 144, create(TOWER)));

    const world = create(TOWER);
    const middle = after(60, 60, world);
    const saved = world.save?.();
    const end = after(60, 60, world);
    const again = apart(after(60, 60, create(middle)), end);
    const still = middle.map((cube) => [...cube.slice(0, 7), 0, 0, 0, 0, 0, 0]);
    const withoutVelocities = apart(after(60, 60, create(still)), end);
    if (saved) world.restore(saved);
    const isRestored = !saved || JSON.stringify(after(60, 60, world)) === JSON.stringify(end);

    const figures = [byFrame, again, withoutVelocities].map((metres) => `${metres.toFixed(3)} m`).join(", ");
    console.log(`${name}: a step a frame at 30 and 144 Hz, each body's state, and without velocities: ${figures}`);
    if (!isAlike) problems.push(`${name}: equal steps end differently at 30, 60 and 144 Hz`);
    if (!isRestored) problems.push(`${name}: its own saved state leads elsewhere`);
    if (byFrame < 0.5) problems.push(`${name}: a step a frame ends alike at 30 and 144 Hz`);
    if (again === 0 || again > 0.5 || withoutVelocities < 1) problems.push(`${name}: the state of its bodies leads elsewhere: ${figures}`);
  }
  return problems;
}
