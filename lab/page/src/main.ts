import "./style.css";
import { Accumulator } from "./figures/accumulator";
import { Display } from "./figures/display";
import { Hockey } from "./figures/hockey";
import { Loops } from "./figures/loops";
import { Rates } from "./figures/rates";
import { Seen } from "./figures/seen";
import { Spiral } from "./figures/spiral";
import { findUnknown, problems } from "./link";
import loadCore from "./wasm/core/core";

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

/** Whether the reader has moved on the page. */
let hasMoved = false;
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(kind, () => (hasMoved = true), { once: true, passive: true });
}

/** Brings the section of the address back into view: figures above it have grown. */
function showSection(): void {
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

type Physics = typeof import("./wasm/physics/physics");

async function load<Module extends { default: () => Promise<unknown> }>(module: Promise<Module>): Promise<Module> {
  await (await module).default();
  return module;
}

/** The physics engine, loaded once for its figures. */
let engine: Promise<Physics> | undefined;
const physics = () => (engine ??= load(import("./wasm/physics/physics")));

/** The figures with a large module, which is loaded when they come near. */
const late: Record<string, (place: HTMLElement) => Promise<unknown>> = {
  "two-blocks": async (place) => new (await import("./figures/two_blocks")).TwoBlocks(place, await physics()),
  blocks: async (place) => new (await import("./figures/blocks")).Blocks(place, await physics()),
  snooker: async (place) => new (await import("./figures/snooker")).Snooker(place, await physics()),
  peers: async (place) => new (await import("./figures/peers")).Peers(place, await load(import("./wasm/peers/peers"))),
};

/** The names of those that are not loaded yet. */
const pending = new Set(Object.keys(late));

function sayProblems(): void {
  findUnknown([...pending]);
  for (const problem of problems.splice(0)) say(`This link could not be read in full: ${problem}`);
}

function loadWhenNear(name: string): void {
  const figure = place(name);
  const near = new IntersectionObserver(
    async (changes) => {
      if (!changes.some((change) => change.isIntersecting)) return;
      near.disconnect();
      try {
        await late[name]!(figure);
        pending.delete(name);
        sayProblems();
        showSection();
      } catch (error) {
        const section = figure.closest("section")!.querySelector("h2")!.textContent;
        say(`The figure of “${section}” could not be loaded (${String(error)}); reload the page to try again.`);
      }
    },
    { rootMargin: "1200px" },
  );
  near.observe(figure);
}

async function start(): Promise<void> {
  if (typeof WebAssembly === "undefined") {
    say("The figures need WebAssembly, which this browser does not have. The text can be read without them.");
    return;
  }
  try {
    await loadCore();
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
  sayProblems();
  showSection();
  Object.keys(late).forEach(loadWhenNear);
  performance.mark("figures-run");
}

void start();
