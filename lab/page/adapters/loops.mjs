// A page with the loops of three.js and PIXI, each of which counts its frames.

import { Ticker } from "pixi.js";
import { PerspectiveCamera, Scene, WebGLRenderer } from "three";

const counts = { three: 0, pixi: 0, plain: 0 };
const renderer = new WebGLRenderer();
const [scene, camera] = [new Scene(), new PerspectiveCamera()];
renderer.setAnimationLoop(() => {
  counts.three++;
  renderer.render(scene, camera);
});
const ticker = new Ticker();
ticker.maxFPS = 0;
ticker.add(() => counts.pixi++);
ticker.start();
requestAnimationFrame(function frame() {
  counts.plain++;
  requestAnimationFrame(frame);
});
window.counts = counts;
