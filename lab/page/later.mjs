// The page of `cargo lab` while its engines are compiled, and after: node later.mjs OUT, called by cargo ci. OUT has the page as `cargo lab`
// builds it first, and the modules that it compiles later are in src/wasm.

import { cpSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { preview } from "vite";
import { launch } from "../../bindings/js/tests/browser.mjs";

const out = resolve(process.argv[2]);
rmSync(`${out}/wasm`, { recursive: true, force: true });
const server = await preview({ build: { outDir: out }, preview: { port: 0, open: false }, logLevel: "error" });
const browser = await launch();
try {
  const page = await browser.newPage();
  const failed = new Promise((_, fail) => page.on("pageerror", fail));
  const until = (is, ...of) => Promise.race([page.waitForFunction(is, ...of), failed]);
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
  await until(() => performance.getEntriesByName("figures-run").length > 0);
  for (const [figure, module] of [["two-blocks", "physics"], ["peers", "peers"]]) {
    const place = page.locator(`figure[data-figure=${figure}]`);
    await place.scrollIntoViewIfNeeded();
    await until((figure) => document.querySelector(`figure[data-figure=${figure}] [role=status]`)?.textContent.includes("compiling"), figure);
    if ((await place.locator("canvas").count()) > 0) throw new Error(`the figure ${figure} runs without its module`);
    cpSync(`src/wasm/${module}`, `${out}/wasm/${module}`, { recursive: true });
    await until((figure) => document.querySelector(`figure[data-figure=${figure}] canvas`), figure);
    if ((await place.getByText("compiling").count()) > 0) throw new Error(`the figure ${figure} runs and says that it is compiling`);
  }
  console.log("the page of cargo lab runs before its engines, which appear when they are compiled");
} finally {
  await browser.close();
  await server.close();
}
