import "./style.css";
import { Accumulator } from "./figures/accumulator";
import { Display } from "./figures/display";
import { Hockey } from "./figures/hockey";
import { Paths } from "./figures/paths";
import { Seen } from "./figures/seen";
import { Spiral } from "./figures/spiral";
import { Spring } from "./figures/spring";
import { findUnknown, problems } from "./link";
import load from "./wasm/core/core";

const figures = { spring: Spring, accumulator: Accumulator, paths: Paths, spiral: Spiral, hockey: Hockey, display: Display, seen: Seen };

function place(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`figure[data-figure=${name}]`);
  if (!found) throw new Error(`the page has no place for figure ${name}`);
  return found;
}

/** Says something above the article. */
function say(sentence: string): void {
  const notice = document.getElementById("notice")!;
  const paragraph = document.createElement("p");
  paragraph.textContent = sentence;
  notice.append(paragraph);
  notice.hidden = false;
}

function sayProblems(): void {
  for (const problem of problems.splice(0)) say(`This link could not be read in full: ${problem}`);
}

/** Whether the reader has moved on the page. */
let hasMoved = false;
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(kind, () => (hasMoved = true), { once: true, passive: true });
}

/** Brings the section of the address back into view: figures above it have grown. */
function showSection(): void {
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

/** Figures whose modules are not loaded yet. */
const late = new Set(["blocks", "peers"]);

/** A large module is loaded when its figure comes near. */
function loadWhenNear(name: string, section: string, load: () => Promise<void>): void {
  const near = new IntersectionObserver(
    async (changes) => {
      if (!changes.some((change) => change.isIntersecting)) return;
      near.disconnect();
      try {
        await load();
        late.delete(name);
        findUnknown([...late]);
        sayProblems();
        showSection();
      } catch (error) {
        say(`The figure of ${section} could not be loaded (${String(error)}); reload the page to try again.`);
      }
    },
    { rootMargin: "1200px" },
  );
  near.observe(place(name));
}

/** The figure on the physics engine. */
async function loadEngine(): Promise<void> {
  const [physics, { Blocks }] = await Promise.all([import("./wasm/physics/physics"), import("./figures/blocks")]);
  await physics.default();
  new Blocks(place("blocks"), physics);
}

/** The figure of two machines. */
async function loadPeers(): Promise<void> {
  const [peers, { Peers }] = await Promise.all([import("./wasm/peers/peers"), import("./figures/peers")]);
  await peers.default();
  new Peers(place("peers"), peers);
}

async function start(): Promise<void> {
  if (typeof WebAssembly === "undefined") {
    say("The figures need WebAssembly, which this browser does not have. The text can be read without them.");
    return;
  }
  try {
    await load();
  } catch (error) {
    say(`The figures could not be loaded (${String(error)}). Reload the page to try again; the text can be read without them.`);
    return;
  }
  for (const [name, Figure] of Object.entries(figures)) {
    try {
      new Figure(place(name));
    } catch (error) {
      reportError(error);
      say(`The figure “${name}” could not be started (${String(error)}); reload the page to try again.`);
    }
  }
  findUnknown([...late]);
  sayProblems();
  showSection();
  loadWhenNear("blocks", "“Falling blocks”", loadEngine);
  loadWhenNear("peers", "“Two machines”", loadPeers);
  performance.mark("figures-run");
}

void start();
