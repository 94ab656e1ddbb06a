// three.js, which draws and has no physics: steps by the time of the last frame, and equal steps.

import { FixedTimestep } from "evenstep";
import { Poses3 } from "evenstep/poses";
import * as THREE from "three";
import { SECONDS, sideBySide } from "./side_by_side";

/** Balls that fall and bounce. */
class Balls {
  readonly y = Float64Array.from({ length: 7 }, (_, ball) => 2 + 0.4 * ball);
  readonly speed = new Float64Array(7);

  step(dt: number): void {
    for (let ball = 0; ball < 7; ball++) {
      this.speed[ball]! -= 10 * dt;
      this.y[ball]! += this.speed[ball]! * dt;
      if (this.y[ball]! < 0.5 && this.speed[ball]! < 0) this.speed[ball]! *= -0.95;
    }
  }
}

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(480, 300, false);
const camera = new THREE.PerspectiveCamera(40, 480 / 300, 1, 50);
camera.position.set(0, 4, 13);
camera.lookAt(0, 2.4, 0);
const light = new THREE.DirectionalLight(0xffffff, 3);
light.position.set(2, 6, 5);
const ground = new THREE.Mesh(new THREE.BoxGeometry(12, 0.2, 3), new THREE.MeshStandardMaterial({ color: 0x9aa3ae }));
ground.position.y = -0.1;
const ball = new THREE.SphereGeometry(0.5, 32, 16);

function createScene(colour: string) {
  const scene = new THREE.Scene();
  const mesh = new THREE.InstancedMesh(ball, new THREE.MeshStandardMaterial({ color: colour }), 7);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 1.5), light.clone(), ground.clone(), mesh);
  const draw = (canvas: HTMLCanvasElement) => {
    mesh.instanceMatrix.needsUpdate = true;
    renderer.render(scene, camera);
    const context = canvas.getContext("2d")!;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(renderer.domElement, 0, 0);
  };
  return { mesh, draw };
}

sideBySide({
  usual(panel, display) {
    const balls = new Balls();
    const { mesh, draw } = createScene("#c2410c");
    let [steps, last] = [0, 0];
    display.requestAnimationFrame(function run(now) {
      balls.step((now - last) / 1000);
      [steps, last] = [steps + 1, now];
      balls.y.forEach((y, at) => mesh.setMatrixAt(at, new THREE.Matrix4().makeTranslation(1.4 * (at - 3), y, 0)));
      panel.show(draw);
      if (now < 1000 * SECONDS) display.requestAnimationFrame(run);
      else panel.finish(steps, balls.y);
    });
  },

  equal(panel, display) {
    const balls = new Balls();
    const { mesh, draw } = createScene("#1d5fbf");
    const timestep = new FixedTimestep(60);
    const poses = new Poses3();
    balls.y.forEach((y, at) => poses.add(1.4 * (at - 3), y, 0));
    display.requestAnimationFrame(function run(now) {
      const frame = timestep.beginFrame(now);
      for (const step of frame) {
        balls.step(step.dt);
        balls.y.forEach((y, at) => poses.set(at, 1.4 * (at - 3), y, 0));
        poses.commit();
        if (step.tick + 1 === 60 * SECONDS) panel.finish(60 * SECONDS, balls.y);
        if (panel.isDone) break;
      }
      poses.drawMatrices(panel.isDone ? 1 : frame.alpha, mesh.instanceMatrix.array as Float32Array);
      panel.show(draw);
      if (!panel.isDone) display.requestAnimationFrame(run);
    });
  },
});
