// Measures the built page, writes the figures into docs/pages/benchmarks.md and takes a picture of the first view: cargo xtask measure-page.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { gzipSync } from "node:zlib";
import { preview } from "vite";
import { launch } from "../../bindings/js/tests/browser.mjs";

const DOCS = "../../docs/pages/benchmarks.md";
/** The page as README and the book show it. */
const PICTURE = "../../docs/pages/lab.png";

const server = await preview({ build: { outDir: "../../target/page/site" }, preview: { open: false } });
const [address] = server.resolvedUrls.local;
const browser = await launch();
const first = await measureStart();
const blocks = [];
for (const display of [10, 60]) blocks.push({ display, worst: await measureBlocks(500, display) });
writeDocs(first, blocks, await visit());
await takePicture();
await browser.close();
await server.close();

/** Milliseconds from the start of the navigation until figures run: the median of five fresh visits. */
async function measureStart() {
  const times = [];
  for (let visit = 0; visit < 5; visit++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    const mark = () => performance.getEntriesByName("figures-run")[0]?.startTime;
    times.push(await (await page.waitForFunction(mark)).jsonValue());
    await context.close();
  }
  return times.sort((one, other) => one - other)[2];
}

/** Milliseconds that both simulations of figure 5 take per frame of the display in their slowest second. */
async function measureBlocks(count, display) {
  const page = await browser.newPage();
  await page.goto(`${address}?blocks.count=${count}&blocks.display=${display}`);
  const figure = page.locator("figure[data-figure=blocks]");
  await show(figure);
  let worst = 0;
  for (let second = 0; second < 8; second++) {
    await page.waitForTimeout(1000);
    worst = Math.max(worst, Number.parseFloat(await figure.locator('dd[data-number="both cost a frame"]').textContent()));
  }
  await page.close();
  return worst;
}

/**
 * Lets every figure run for three seconds. Returns the bytes of the files that the page loads, compressed with gzip, for the first view and for
 * all of it, and the milliseconds of tasks of over 50, the start of the page aside.
 */
async function visit() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  let whole = 0;
  page.on("response", async (response) => (whole += gzipSync(await response.body()).length));
  await page.goto(address);
  await page.waitForTimeout(2000);
  const firstView = whole;
  await page.evaluate(() => {
    globalThis.longTasks = [];
    const note = (list) => longTasks.push(...list.getEntries().map((task) => task.duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  });
  const figures = await page.locator("figure[data-figure]").all();
  for (const figure of figures) {
    await show(figure);
    await page.waitForTimeout(3000);
  }
  const longTasks = await page.evaluate(() => longTasks);
  await page.close();
  return { firstView, whole, longTasks, seconds: 3 * figures.length };
}

/** Takes the picture of the first view, after two seconds. */
async function takePicture() {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  await page.goto(address);
  await show(page.locator("figure[data-figure=loops]"));
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(2000);
  await page.screenshot({ path: PICTURE });
  await page.close();
}

/** Brings a figure into view. Figures that start above it push it away, and one that is far away is not loaded. */
async function show(figure) {
  const restart = figure.getByRole("button", { name: "Restart", exact: true });
  while (!(await restart.isVisible())) {
    await figure.scrollIntoViewIfNeeded();
    await figure.page().waitForTimeout(100);
  }
  await figure.scrollIntoViewIfNeeded();
}

function writeDocs(first, blocks, { firstView, whole, longTasks, seconds }) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  const rows = [
    ["first view, transferred", kilobytes(firstView), "at most 400 kB"],
    ["whole page, transferred", kilobytes(whole), "at most 1200 kB"],
    ["first running figure, from localhost", `${first.toFixed(0)} ms`, "under 1000 ms"],
    ...blocks.map(({ display, worst }) => [
      `figure 5, 500 blocks twice, display at ${display} Hz: cost of a frame in the slowest second`,
      `${worst.toFixed(1)} ms`,
      "16.7 ms at 60 Hz",
    ]),
    [
      `tasks over 50 ms in ${seconds} s, three with each figure`,
      `${longTasks.length}${longTasks.length ? `, the longest ${Math.max(...longTasks).toFixed(0)} ms` : ""}`,
      "",
    ],
  ];
  const table = ["| | measured | goal |", "|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${date}, Chromium ${browser.version()} without a GPU, ${cpus().length} cores of ${cpus()[0].model}.`;
  const text = readFileSync(DOCS, "utf8");
  writeFileSync(DOCS, text.replace(/(<!-- measured -->)[^]*(<!-- end -->)/, `$1\n${machine}\n\n${table}\n$2`));
  console.log(table);
}
