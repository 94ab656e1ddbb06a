// planck: a step in each frame, as in the simple loop of its documentation, and equal steps, each on four displays.

import "../../lab/page/src/style.css";
import "./planck.css";
import { FixedTimestep } from "evenstep";
import { Poses2 } from "evenstep/poses";
import { Display } from "./display";
import { Panel } from "./panel";
import { createTower, place } from "./tower";

const RATES = [30, 60, 144, 240];
const SECONDS = 2;

/** Requests frames, draws into a panel, and tells the panel when it is done. */
function usual(panel: Panel, display: Display): void {
  const { world, bodies } = createTower();
  let steps = 0;
  display.requestAnimationFrame(function run(now) {
    world.step(1 / 60);
    steps++;
    panel.draw(bodies.map(place).flatMap(([x, y, angle]) => [x, y, Math.cos(angle), Math.sin(angle)]));
    if (now < 1000 * SECONDS) display.requestAnimationFrame(run);
    else panel.finish(steps, bodies.flatMap(place));
  });
}

/** The same with evenstep. */
function equal(panel: Panel, display: Display): void {
  const { world, bodies } = createTower();
  const timestep = new FixedTimestep(60);
  const poses = new Poses2();
  for (const body of bodies) poses.add(...place(body));
  display.requestAnimationFrame(function run(now) {
    const frame = timestep.beginFrame(now);
    for (const step of frame) {
      world.step(step.dt);
      bodies.forEach((body, row) => poses.set(row, ...place(body)));
      poses.commit();
      if (step.tick + 1 === 60 * SECONDS) panel.finish(60 * SECONDS, bodies.flatMap(place));
      if (panel.isDone) break;
    }
    panel.draw(poses.draw(panel.isDone ? 1 : frame.alpha));
    if (!panel.isDone) display.requestAnimationFrame(run);
  });
}

const loops = [
  { name: "usual", title: "Without evenstep", colour: "raw", begin: usual },
  { name: "equal", title: "Equal steps with evenstep", colour: "smooth", begin: equal },
] as const;

/** A row of the page: a loop on four displays, and in the end how many results they have. */
class Row {
  readonly section = document.createElement("section");
  readonly #verdict = document.createElement("p");
  readonly #panels: readonly Panel[];
  readonly #displays = RATES.map((hz) => new Display(hz, 0.4));

  constructor({ name, title, colour, begin }: (typeof loops)[number]) {
    this.#panels = RATES.map((hz) => new Panel(hz, colour));
    this.#panels.forEach((panel, at) => begin(panel, this.#displays[at]!));
    this.section.dataset["loop"] = name;
    const heading = document.createElement("h2");
    heading.textContent = title;
    heading.className = colour;
    const four = document.createElement("div");
    four.className = "four";
    four.append(...this.#panels.map((panel) => panel.root));
    this.#verdict.className = "verdict";
    this.#verdict.role = "status";
    this.#verdict.textContent = `After ${SECONDS} seconds: …`;
    this.section.append(heading, four, this.#verdict);
  }

  /** Shows what the displays show after some time. Returns whether all are done. */
  pass(milliseconds: number): boolean {
    for (const display of this.#displays) display.pass(milliseconds);
    for (const panel of this.#panels) panel.paint();
    if (!this.#panels.every((panel) => panel.isDone)) return false;
    const results = new Set(this.#panels.map((panel) => panel.hash)).size;
    const words = results === 1 ? "one result, to the last bit" : `${results} different results`;
    this.#verdict.textContent = `After ${SECONDS} seconds: four displays, ${words}.`;
    return true;
  }
}

const button = document.createElement("button");
button.className = "main";
button.textContent = "Play";
const stage = document.createElement("div");
document.querySelector("figure")!.prepend(stage, button);

let rows: readonly Row[];

function play(): void {
  const played = (rows = loops.map((loop) => new Row(loop)));
  stage.replaceChildren(...rows.map((row) => row.section));
  let first: number | undefined;
  requestAnimationFrame(function onFrame(now) {
    if (rows !== played) return; // it is played again
    first ??= now;
    const areDone = rows.map((row) => row.pass(now - first!));
    if (areDone.includes(false)) requestAnimationFrame(onFrame);
  });
}

// At once, unless the user prefers reduced motion, and again when the button is pressed.
button.addEventListener("click", play);
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play();
