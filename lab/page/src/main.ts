import "./style.css";
import { element, type Figure } from "./figure";
import { Accumulator } from "./figures/accumulator";
import { Blocks } from "./figures/blocks";
import { Display } from "./figures/display";
import { Hockey } from "./figures/hockey";
import { Loops } from "./figures/loops";
import { Peers } from "./figures/peers";
import { Rates } from "./figures/rates";
import { Scroll } from "./figures/scroll";
import { Seen } from "./figures/seen";
import { Snooker } from "./figures/snooker";
import { Spiral } from "./figures/spiral";
import { TwoBlocks } from "./figures/two_blocks";
import { findUnknown, problems } from "./link";
import loadCore from "./wasm/core/core";
import loadPeers from "./wasm/peers/peers";
import loadPhysics from "./wasm/physics/physics";

type Load = () => Promise<unknown>;

/** Loads a module once for all of its figures. */
function once(load: Load): Load {
  let loaded: Promise<unknown> | undefined;
  return () => (loaded ??= load());
}

const [core, physics, peers] = [once(() => loadCore()), once(() => loadPhysics()), once(() => loadPeers())];

/** The figures, each with the module of its simulation. */
const figures: Record<string, [Made: new (place: HTMLElement) => Figure, load: Load]> = {
  loops: [Loops, core],
  accumulator: [Accumulator, core],
  "two-blocks": [TwoBlocks, physics],
  spiral: [Spiral, core],
  blocks: [Blocks, physics],
  hockey: [Hockey, core],
  rates: [Rates, core],
  scroll: [Scroll, core],
  snooker: [Snooker, physics],
  display: [Display, core],
  seen: [Seen, core],
  peers: [Peers, peers],
};

/** Whether the browser runs WebAssembly. Some do not, or only on sites that their user trusts. */
const hasWasm = "WebAssembly" in globalThis;

/** The names of the figures that have not started yet. */
const pending = new Set(Object.keys(figures));

/** Whether the reader has moved on the page. */
let hasMoved = false;
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(kind, () => (hasMoved = true), { once: true, passive: true });
}

/** Says above the article what is wrong with the settings in the address. */
function sayProblems(): void {
  findUnknown([...pending]);
  const notice = document.getElementById("notice")!;
  notice.append(...problems.splice(0).map((problem) => element("p", "", `This link could not be read in full: ${problem}`)));
  notice.hidden = notice.childElementCount === 0;
}

async function start(place: HTMLElement): Promise<void> {
  const name = place.dataset.figure!;
  const [Made, load] = figures[name]!;
  try {
    await load();
    new Made(place).start();
    performance.mark("figures-run");
    pending.delete(name);
    sayProblems();
  } catch (error) {
    reportError(error);
    const why = hasWasm ? `(${String(error)}). Reload the page to try again.` : "because this browser runs no WebAssembly.";
    const trouble = element("p", "trouble", `This figure could not be loaded ${why}`);
    trouble.setAttribute("role", "alert");
    place.prepend(trouble);
  }
  // Figures above the section of the address have grown.
  if (!hasMoved) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
}

/** Starts a figure with a large module when it comes near. */
function startWhenNear(place: HTMLElement): void {
  const near = new IntersectionObserver(
    (changes) => {
      if (!changes.some((change) => change.isIntersecting)) return;
      near.disconnect();
      void start(place);
    },
    { rootMargin: "1200px" },
  );
  near.observe(place);
}

const places = [...document.querySelectorAll<HTMLElement>("figure[data-figure]")];
const isSmall = (place: HTMLElement) => figures[place.dataset.figure!]![1] === core;
await Promise.all(places.filter(isSmall).map(start));
places.filter((place) => !isSmall(place)).forEach(startWhenNear);
