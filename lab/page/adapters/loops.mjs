// A page with the loop of three.js and a plain one, each of which counts its frames.

import { PerspectiveCamera, Scene, WebGLRenderer } from "three";

const counts = { three: 0, plain: 0 };
const renderer = new WebGLRenderer();
const [scene, camera] = [new Scene(), new PerspectiveCamera()];
renderer.setAnimationLoop(() => {
  counts.three++;
  renderer.render(scene, camera);
});
requestAnimationFrame(function frame() {
  counts.plain++;
  requestAnimationFrame(frame);
});
window.counts = counts;
