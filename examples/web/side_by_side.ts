// Two loops at four frame rates each, side by side.

import "../../lab/page/src/style.css";
import "./side_by_side.css";
import { Display } from "./display";
import { Panel, type Shape } from "./panel";

export const SECONDS = 2;

/** A tower of boxes and a ball that is shot at the tower: `[x, y]` of each in metres, boxes first. */
export const tower = {
  half: 0.4,
  radius: 0.45,
  boxes: Array.from({ length: 18 }, (_, box): [number, number] => [1 + 0.85 * (box % 3), 0.4 + 0.8 * Math.floor(box / 3)]),
  ball: [-4.2, 1.6] as [number, number],
  velocity: [12, 3] as [number, number],
};

export const towerShapes: Shape[] = [
  ...tower.boxes.map((): Shape => ({ box: [tower.half, tower.half] })),
  { ball: tower.radius },
];

/** A loop: requests frames, draws into a panel, and tells the panel when it is done. */
type Loop = (panel: Panel, display: Display) => void;

/** The content of a page. */
export interface Example {
  readonly usual: Loop;
  readonly equal: Loop;
  readonly shapes?: readonly Shape[];
}

const RATES = [30, 60, 144, 240];

/** Shows an example: at once, unless the user prefers reduced motion, and again when the button is pressed. */
export function sideBySide(example: Example): void {
  const button = document.createElement("button");
  button.className = "main";
  button.textContent = "Play";
  const rows = document.createElement("div");
  document.querySelector("figure")!.prepend(rows, button);
  let run = 0;
  const play = () => start(example, rows, (current => () => current === run)(++run));
  button.addEventListener("click", play);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play();
}

function start(example: Example, place: HTMLElement, isCurrent: () => boolean): void {
  const shapes = example.shapes ?? towerShapes;
  const loops = (["usual", "equal"] as const).map((name) => {
    const panels = RATES.map((hz) => new Panel(hz, name === "usual" ? "raw" : "smooth", shapes, 13));
    const displays = panels.map((panel) => new Display(panel.hz, 0.4));
    panels.forEach((panel, at) => example[name](panel, displays[at]!));
    return { name, panels, displays, verdict: document.createElement("p") };
  });
  place.replaceChildren(...loops.map(({ name, panels, verdict }) => row(name, panels, verdict)));
  let first: number | undefined;
  requestAnimationFrame(function onFrame(now) {
    if (!isCurrent()) return;
    first ??= now;
    for (const { displays, panels } of loops) {
      for (const display of displays) display.pass(now - first);
      for (const panel of panels) panel.paint();
    }
    if (loops.every(({ panels }) => panels.every((panel) => panel.isDone))) {
      for (const { panels, verdict } of loops) judge(panels, verdict);
    } else {
      requestAnimationFrame(onFrame);
    }
  });
}

const titles = { usual: "Without evenstep", equal: "Equal steps with evenstep" };

function row(name: "usual" | "equal", panels: readonly Panel[], verdict: HTMLElement): HTMLElement {
  const section = document.createElement("section");
  section.dataset["loop"] = name;
  const title = document.createElement("h2");
  title.textContent = titles[name];
  title.className = name === "usual" ? "raw" : "smooth";
  const four = document.createElement("div");
  four.className = "four";
  four.append(...panels.map((panel) => panel.root));
  verdict.className = "verdict";
  verdict.role = "status";
  verdict.textContent = `After ${SECONDS} seconds: …`;
  section.append(title, four, verdict);
  return section;
}

function judge(panels: readonly Panel[], verdict: HTMLElement): void {
  const results = new Set(panels.map((panel) => panel.hash)).size;
  const words = results === 1 ? "one result, to the last bit" : `${results} different results`;
  verdict.textContent = `After ${SECONDS} seconds: four displays, ${words}.`;
}
