import "./style.css";
import { Accumulator } from "./figures/accumulator";
import { Display } from "./figures/display";
import { Hockey } from "./figures/hockey";
import { Loops } from "./figures/loops";
import { Rates } from "./figures/rates";
import { Seen } from "./figures/seen";
import { Spiral } from "./figures/spiral";
import { findUnknown, problems } from "./link";
import load from "./wasm/core/core";

const figures = {
  loops: Loops,
  accumulator: Accumulator,
  spiral: Spiral,
  hockey: Hockey,
  rates: Rates,
  display: Display,
  seen: Seen,
};

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
const late = new Set(["two-blocks", "blocks", "snooker", "peers"]);

/** A large module is loaded when its figure comes near. */
function loadWhenNear(name: string, section: string, load: (place: HTMLElement) => Promise<unknown>): void {
  const near = new IntersectionObserver(
    async (changes) => {
      if (!changes.some((change) => change.isIntersecting)) return;
      near.disconnect();
      try {
        await load(place(name));
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

/** The physics engine, loaded once for its figures. */
let engine: Promise<typeof import("./wasm/physics/physics")> | undefined;

async function loadEngine(): Promise<typeof import("./wasm/physics/physics")> {
  const physics = await import("./wasm/physics/physics");
  await physics.default();
  return physics;
}

/** Loads the engine, unless it is loaded, and beside it the code of a figure. */
async function withEngine<Figure>(figure: Promise<Figure>): Promise<[typeof import("./wasm/physics/physics"), Figure]> {
  return Promise.all([(engine ??= loadEngine()), figure]);
}

async function loadTwoBlocks(place: HTMLElement): Promise<unknown> {
  const [physics, { TwoBlocks }] = await withEngine(import("./figures/two_blocks"));
  return new TwoBlocks(place, physics);
}

async function loadBlocks(place: HTMLElement): Promise<unknown> {
  const [physics, { Blocks }] = await withEngine(import("./figures/blocks"));
  return new Blocks(place, physics);
}

async function loadSnooker(place: HTMLElement): Promise<unknown> {
  const [physics, { Snooker }] = await withEngine(import("./figures/snooker"));
  return new Snooker(place, physics);
}

/** The figure of two machines. */
async function loadPeers(place: HTMLElement): Promise<unknown> {
  const [peers, { Peers }] = await Promise.all([import("./wasm/peers/peers"), import("./figures/peers")]);
  await peers.default();
  return new Peers(place, peers);
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
  loadWhenNear("two-blocks", "“Two blocks”", loadTwoBlocks);
  loadWhenNear("blocks", "“Falling blocks”", loadBlocks);
  loadWhenNear("snooker", "“Back in time”", loadSnooker);
  loadWhenNear("peers", "“Two machines”", loadPeers);
  performance.mark("figures-run");
}

void start();
