// Whose a key is, and what scrolls: every kind of element × key × target, with and without `stopPropagation`, in Chromium and, where it is
// installed, in Firefox. node --experimental-websocket keys.mjs PROJECT, called by cargo ci. In PROJECT the npm package is installed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { inBrowsers, serve, until } from "./browsers.mjs";

const project = resolve(process.argv[2]);
const script = readFileSync(`${project}/node_modules/evenstep/dist/evenstep.global.js`, "utf8");

const KEYS = ["KeyD", "ArrowDown", "ArrowRight", "PageDown", "End", "Space", "Enter"];
const [MOVES, PRESSES] = [["ArrowDown", "ArrowRight", "PageDown", "End"], ["Space", "Enter"]];

/** Elements, and the keys on which each acts itself. */
const elements = {
  "<canvas tabindex=0></canvas>": [],
  "<div tabindex=0>A game</div>": [],
  "<p>nothing has the focus</p>": [],
  '<input type=checkbox>': ["Space"],
  '<input type=radio name=r><input type=radio name=r>': ["Space", "ArrowDown", "ArrowRight"],
  '<input type=range>': MOVES,
  '<button>Start</button>': PRESSES,
  '<button type=submit>Start</button>': PRESSES,
  '<button role=presentation>Start</button>': PRESSES,
  '<button><canvas></canvas></button>': PRESSES,
  '<input type=button value=Start>': PRESSES,
  '<input type=submit>': PRESSES,
  '<input type=reset>': PRESSES,
  '<input type=image alt=Start>': PRESSES,
  '<input type=file>': PRESSES,
  '<input type=color>': PRESSES,
  '<details><summary id=x>More</summary>Text</details>': PRESSES,
  '<a href="#here">A link</a>': ["Enter"],
  '<a href="#here" tabindex=0><b>A link</b></a>': ["Enter"],
  '<map name=m><area id=x href="#here" shape=rect coords="0,0,9,9"></map><img usemap="#m" width=9 height=9 src="data:image/svg+xml,%3Csvg xmlns=\'http://www.w3.org/2000/svg\'/%3E">': ["Enter"],
  '<audio controls></audio>': [...MOVES, ...PRESSES],
  '<video controls></video>': [...MOVES, ...PRESSES],
  '<select><option>A<option>D</select>': KEYS,
  '<select multiple><option>A<option>D</select>': KEYS,
  '<textarea></textarea>': KEYS,
  '<div contenteditable>Text</div>': KEYS,
  ...Object.fromEntries(["text", "search", "url", "tel", "email", "password", "number", "date", "time", "month", "week", "datetime-local", "unknown"].map((type) => [`<input type=${type}>`, KEYS])),
  '<x-open></x-open>': KEYS,
  '<x-closed></x-closed>': KEYS,
  '<x-game tabindex=0></x-game>': [],
  ...Object.fromEntries(Object.entries({ button: PRESSES, link: ["Enter"], checkbox: ["Space"], switch: ["Space"], radio: ["Space", "ArrowDown", "ArrowRight"], slider: MOVES, tab: [...MOVES, ...PRESSES], menuitem: [...MOVES, ...PRESSES], option: [...MOVES, ...PRESSES], textbox: KEYS, searchbox: KEYS, combobox: KEYS, listbox: KEYS, spinbutton: KEYS, img: [], application: [] }).map(([role, keys]) => [`<div tabindex=0 role=${role}>x</div>`, keys])),
};

/** How often keys must have clicked or changed an element, for some that send an event. */
const used = { "<button>Start</button>": 2, "<input type=checkbox>": 1, "<input type=range>": 1, '<a href="#here">A link</a>': 1, "<textarea></textarea>": 2 };

const targets = { "no target": "undefined", "the canvas": "document.querySelector('#c')", "a box around the element": "document.querySelector('#box')", "the body": "document.body" };

const { origin, close } = await serve((path) => path !== "/" ? undefined : `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<body style="margin: 0"><canvas id=c width=300 height=100></canvas><div id=box></div><div style="height: 4000px"></div><script>${script}</script><script>
  for (const mode of ["open", "closed"]) customElements.define("x-" + mode, class extends HTMLElement {
    constructor() { super(); const tree = this.attachShadow({ mode }); tree.innerHTML = "<input>"; this.focus = () => tree.querySelector("input").focus({ preventScroll: true }); }
  });
  const codes = ${JSON.stringify(KEYS)};
  let seen, game;
  addEventListener("scroll", () => Object.assign(seen, { scrolls: Math.max(seen.scrolls, scrollY), last: seen.ran }));
  function play(target) {
    game?.stop();
    game = evenstep.loop({ target, draw() {}, step(dt, input) {
      seen.ran++;
      for (const code of codes) { seen.presses[code] = (seen.presses[code] ?? 0) + input.presses(code); seen.held ||= input.isHeldAtEnd(code) && seen.ran; }
    } });
    game.start();
  }
  function put(html, stops) {
    box.innerHTML = html;
    seen = { ran: 0, presses: {}, used: 0, scrolls: 0, last: 0 };
    window.x = box.querySelector("#x") ?? box.firstElementChild;
    // A page's own file dialog and the like stay closed.
    if (!x) return;
    if (/file|color/.test(x.type)) x.addEventListener("click", (event) => event.preventDefault());
    for (const name of ["click", "input", "change"]) x.addEventListener(name, () => seen.used++);
    if (stops) for (const name of ["keydown", "keyup", "keypress"]) x.addEventListener(name, (event) => event.stopPropagation());
  }
  function focusIt() { scrollTo(0, 0); document.activeElement?.blur?.(); x.focus({ preventScroll: true }); return document.activeElement?.tagName; }
</script>`);

await inBrowsers(async (name, browser) => {
  const page = await browser.open(`${origin}/`);
  let combinations = 0;
  let scrolls = false;
  for (const [where, target] of Object.entries(targets)) {
    await page.ask(`(put("", false), play(${target}), 1)`);
    await until(page.ask, "seen", ({ ran }) => ran > 2);
    for (const [html, keys] of Object.entries(elements)) {
      for (const stops of where === "no target" ? [false, true] : [false]) {
        const place = `${name}, ${where}, ${html}${stops ? ", which stops its events" : ""}`;
        await page.ask(`(put(${JSON.stringify(html)}, ${stops}), 1)`);
        if (scrolls) {
          // The last element's keys may scroll on for some frames.
          await until(page.ask, "seen", ({ ran, last }) => ran > last + 20);
          await page.ask("scrollTo(0, 0)");
          await until(page.ask, "seen", ({ ran, last }) => ran > last + 5);
          await page.ask("seen.scrolls = 0");
        }
        for (const key of KEYS) {
          await page.ask("focusIt()");
          await page.press(key);
          // A list that has opened.
          if (/select|date|time|month|week|color/.test(html)) await page.press("Escape");
        }
        const { ran } = await page.ask("seen");
        const seen = await until(page.ask, "seen", (seen) => seen.ran > ran + 3);
        const isAlone = stops && !/nothing/.test(html);
        const wanted = Object.fromEntries(KEYS.map((key) => [key, keys.includes(key) || isAlone ? 0 : 1]));
        assert.deepEqual(seen.presses, wanted, place);
        // No key that Firefox's driver sends is a click, on a page without evenstep either.
        if (name === "Chromium") assert.ok(seen.used >= (used[html] ?? 0), `${place}: used ${seen.used} times`);
        // What the element does not use scrolls nothing. What it uses is its own: one with a role refuses to scroll by itself.
        // Firefox's driver sends a Space on which a <summary> scrolls.
        const scrolling = /div.*role|summary/.test(html) ? [...MOVES, "Space"] : MOVES;
        scrolls = scrolling.some((key) => keys.includes(key));
        if (!scrolls) assert.equal(seen.scrolls, 0, place);
        combinations++;
      }
    }
  }
  console.log(`${name}: ${combinations} elements, targets and listeners, ${KEYS.length} keys each`);

  // A key that goes up where its release is stopped, and the first key after a button started the game.
  await page.ask(`(put("<input>", true), 1)`);
  await page.ask("document.activeElement.blur()");
  await page.keyDown("KeyD");
  await until(page.ask, "seen", ({ held }) => held);
  await page.ask("focusIt()");
  await page.keyUp("KeyD");
  await page.ask("seen.held = false");
  const { ran } = await page.ask("seen");
  const after = await until(page.ask, "seen", (seen) => seen.ran > ran + 5);
  assert.ok(!after.held || after.held <= ran + 2, `${name}: held in step ${after.held} of ${ran} and later`);
  await page.ask(`(put("<button>Start</button>"), play(undefined), game.stop(), x.onclick = () => { seen.starts = (seen.starts ?? 0) + 1; game.start(); }, focusIt(), 1)`);
  await page.ask("(x.click(), 1)");
  await until(page.ask, "seen", ({ ran, starts }) => ran > 2 && starts === 1);
  await page.press("Space");
  await page.press("ArrowDown");
  const started = await until(page.ask, "seen", ({ presses }) => presses.Space === 1 && presses.ArrowDown === 1);
  assert.deepEqual([started.starts, started.scrolls], [1, 0], name);
});
close();
