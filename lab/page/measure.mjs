// Measures the built page, writes the figures into docs/pages/benchmarks.md and takes a picture of every figure: cargo xtask measure-page.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { evenstep, launch } from "./browser.mjs";

const FIGURES = [
  "loops", "accumulator", "two-blocks", "spiral", "blocks", "hockey", "rates", "snooker", "display", "seen", "peers",
];
const PICTURES = "../../target/page/pictures";
const DOCS = "../../docs/pages/benchmarks.md";

const server = spawn(evenstep, ["serve", "../../target/page/site", "--port", "0", "--no-open"]);
const address = String(await new Promise((printed) => server.stdout.once("data", printed))).trim();
const browser = await launch();

await measurePage();
await browser.close();
server.kill("SIGINT");

async function measurePage() {
  const transfer = await measureTransfer();
  const first = await measureStart();
  const blocks = [];
  for (const display of [10, 60]) blocks.push({ display, worst: await measureBlocks(500, display) });
  const longTasks = await countLongTasks();
  writeDocs(transfer, first, blocks, longTasks);
  await takePictures();
}

async function show(page, name) {
  const figure = page.locator(`figure[data-figure=${name}]`);
  const restart = figure.getByRole("button", { name: "Restart", exact: true });
  // Figures that start above it push it away, and one that is far away is not loaded.
  while (!(await restart.isVisible())) {
    await figure.scrollIntoViewIfNeeded();
    await page.waitForTimeout(100);
  }
  await figure.scrollIntoViewIfNeeded();
}

/** Compressed bytes over the network: for the first view, and after all figures were visible. */
async function measureTransfer() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await page.goto(address);
  await page.waitForTimeout(2000);
  const firstView = bytes;
  for (const name of FIGURES) {
    await page.locator(`figure[data-figure=${name}]`).scrollIntoViewIfNeeded();
    await show(page, name);
  }
  await page.waitForTimeout(1000);
  await page.close();
  return { firstView, whole: bytes };
}

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
  await page.locator("figure[data-figure=blocks]").scrollIntoViewIfNeeded();
  await show(page, "blocks");
  const number = page.locator('figure[data-figure=blocks] dd[data-number="both cost a frame"]');
  let worst = 0;
  for (let second = 0; second < 8; second++) {
    await page.waitForTimeout(1000);
    worst = Math.max(worst, Number.parseFloat(await number.textContent()));
  }
  await page.close();
  return worst;
}

/** Tasks of over 50 ms while every figure runs for three seconds, the start of the page aside. */
async function countLongTasks() {
  const page = await browser.newPage();
  await page.goto(address);
  await page.waitForTimeout(1000);
  await page.evaluate(() => {
    globalThis.longTasks = [];
    const note = (list) => longTasks.push(...list.getEntries().map((task) => task.duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  });
  for (const name of FIGURES) {
    await page.locator(`figure[data-figure=${name}]`).scrollIntoViewIfNeeded();
    await show(page, name);
    await page.waitForTimeout(3000);
  }
  const durations = await page.evaluate(() => longTasks);
  await page.close();
  return { count: durations.length, longest: Math.max(0, ...durations) };
}

function writeDocs(transfer, first, blocks, longTasks) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  const rows = [
    ["first view, transferred", kilobytes(transfer.firstView), "at most 400 kB"],
    ["whole page, transferred", kilobytes(transfer.whole), "at most 1200 kB"],
    ["first running figure, from localhost", `${first.toFixed(0)} ms`, "under 1000 ms"],
    ...blocks.map(({ display, worst }) => [
      `figure 5, 500 blocks twice, display at ${display} Hz: cost of a frame in the slowest second`,
      `${worst.toFixed(1)} ms`,
      "16.7 ms at 60 Hz",
    ]),
    [
      `tasks over 50 ms in ${3 * FIGURES.length} s, three with each figure`,
      `${longTasks.count}${longTasks.count ? `, the longest ${longTasks.longest.toFixed(0)} ms` : ""}`,
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

async function takePictures() {
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
    await page.goto(`${address}?hockey.charges=solution`);
    for (const name of FIGURES) {
      await page.locator(`figure[data-figure=${name}]`).scrollIntoViewIfNeeded();
      await show(page, name);
      const figure = page.locator(`figure[data-figure=${name}]`);
      if (name === "hockey") await figure.getByRole("button", { name: "Shoot", exact: true }).click();
      await page.waitForTimeout(3000);
      await figure.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png` });
    }
    await page.close();
  }
  console.log(`pictures: ${PICTURES.slice(3)}`);
}
