import { createElement, useRef } from "react";
import { Canvas, useFrame } from "@react-three/fiber";
import { createRoot } from "react-dom/client";
import { FixedTimestep, Smoothed } from "evenstep";

// In the page of the book:
const timestep = new FixedTimestep(60);
const x = new Smoothed(0);

function Ball({ step }) {
  const mesh = useRef();
  useFrame(() => {
    const frame = timestep.beginFrame(performance.now());
    for (const { dt } of frame) {
      x.beginStep();
      step(dt);
    }
    mesh.current.position.x = x.at(frame.alpha);
  });
  return createElement("mesh", { ref: mesh }, createElement("sphereGeometry"));
}
// Until here.

let shown;
const step = (dt) => (x.current += 60 * dt);
function Watch() {
  useFrame(({ scene }) => (shown = scene.children.find((child) => child.isMesh)?.position.x));
  return null;
}
const root = document.body.appendChild(document.createElement("div"));
root.style.cssText = "width: 300px; height: 200px";
createRoot(root).render(createElement(Canvas, null, createElement(Ball, { step }), createElement(Watch)));
window.measured = () => ({ ticks: timestep.tick, state: x.current, drawn: shown });
