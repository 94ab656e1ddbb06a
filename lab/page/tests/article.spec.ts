import AxeBuilder from "@axe-core/playwright";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { preview } from "vite";
import { Figure, expect, open, test } from "./page";

const figures = [
  "loops", "accumulator", "two-blocks", "spiral", "blocks", "hockey", "rates", "scroll", "snooker", "display", "peers",
  "forces", "state",
];

/** Scrolls through the page, so that everything that loads late is loaded. */
async function showAll(page: import("@playwright/test").Page): Promise<void> {
  for (const name of figures) await new Figure(page, name).show();
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing about the page keeps anyone out, in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("");
    await showAll(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
  });
}

test("on a phone 390 pixels wide the page fits, and no part of a figure is cut", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("");
  await showAll(page);
  const [visible, needed] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  expect(needed).toBeLessThanOrEqual(visible!);
  const cut = await page.locator("figure").evaluateAll((figures) =>
    figures.flatMap((figure) =>
      [...figure.querySelectorAll("*")]
        .filter((part) => {
          const { left, right, width } = part.getBoundingClientRect();
          const isClipped = getComputedStyle(part).overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1;
          return width > 0 && (left < -1 || right > innerWidth + 1 || isClipped);
        })
        .map((part) => `${figure.dataset.figure}: ${part.tagName} ${part.textContent}`),
    ),
  );
  expect(cut).toEqual([]);
});

for (const [device, width, height] of [["desk", 1440, 900], ["phone", 390, 844]] as const) {
  test(`the first view of a ${device} asks a question, and has its displays and all five balls, which move`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto("");
    const canvas = page.locator("figure[data-figure=loops] canvas").first();
    const look = () => canvas.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    await expect(canvas).toBeVisible();
    await expect(page.getByRole("heading", { name: /Which are wrong\?/ })).toBeInViewport({ ratio: 1 });
    for (const button of await page.locator(".choices button").all()) await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.locator("figure[data-figure=loops] canvas").nth(4)).toBeInViewport({ ratio: 1 });
    await page.clock.runFor(200);
    const before = await look();
    await page.clock.runFor(200);
    expect(await look()).not.toBe(before);
  });
}

test("with reduced motion, figures wait until they are started", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const loops = await open(page, "loops");
  const still = await loops.root.locator("canvas").first().screenshot();
  await expect(loops.root.locator(".message")).toContainText("less motion");
  for (const verdict of await loops.root.locator(".lane .verdict").allTextContents()) expect(verdict).not.toBe("");
  for (const name of figures) {
    const figure = new Figure(page, name);
    await figure.show();
    if (["loops", "hockey", "snooker"].includes(name)) continue; // these have states to show
    for (const number of await figure.root.locator("dd").allTextContents()) expect(number, name).toBe("–");
  }
  await loops.show();
  await loops.play(800);
  expect(await loops.root.locator("canvas").first().screenshot()).toEqual(still);
  await loops.button("Play").click();
  await loops.until("frames of this display", (text) => Number(text) > 20);
});

test("every figure pauses, plays on and restarts", async ({ page }) => {
  await open(page, figures[0]!);
  for (const name of figures) {
    const figure = new Figure(page, name);
    await figure.show();
    if (name === "state") await figure.button("Play").click(); // it loads its engine
    await expect(figure.button("Pause")).toBeVisible();
    await figure.play(500);
    await figure.button("Pause").click();
    const still = await figure.root.locator("dl").innerText();
    await figure.play(200);
    expect(await figure.root.locator("dl").innerText(), name).toBe(still);
    await figure.button("Play").click();
    await figure.button("Restart").click();
    await expect(figure.button("Pause")).toBeVisible();
  }
});

test("every slider and menu is reached with the keyboard, and its focus is seen", async ({ page }) => {
  await page.goto("");
  await showAll(page);
  await page.evaluate(() => scrollTo(0, 0));
  const wanted = await page.locator("input:not([hidden]), select, button:enabled, canvas[tabindex], a").count();
  await page.locator("a").first().focus();
  for (let reached = 1; reached < wanted; reached++) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    expect(outline, `control ${reached} of ${wanted}`).toBe(true);
  }
});

test("a setting goes into the address, and comes back from it", async ({ page }) => {
  const loops = await open(page, "loops");
  await loops.slide("Stiffness", ["ArrowRight"]);
  await loops.root.getByLabel("Display").selectOption("59.94");
  await loops.play(1000);
  expect(new URL(page.url()).search).toBe("?loops.stiffness=20000&loops.display=59.94");
  expect(new URL(page.url()).hash).toBe("#five-loops");
  await page.reload();
  await expect(loops.root.getByLabel("Stiffness")).toHaveAttribute("aria-valuetext", "20000 N/m");
  await loops.button("Defaults").click();
  await loops.play(1000);
  expect(new URL(page.url()).search).toBe("");
});

test("a charge is dragged far on a browser that refuses to change the address often, and the address follows", async ({ page }) => {
  // As Safari does: 100 changes in 30 s, then errors.
  await page.addInitScript(() => {
    const replace = history.replaceState.bind(history);
    const changes: number[] = [];
    history.replaceState = (...state) => {
      const now = performance.now();
      while (changes.length > 0 && changes[0]! < now - 30_000) changes.shift();
      if (changes.push(now) > 100) throw new DOMException("Attempt to use history.replaceState() more than 100 times", "SecurityError");
      replace(...state);
    };
  });
  const hockey = await open(page, "hockey", "hockey.level=1&hockey.charges=10%2C10%2C100");
  const board = hockey.root.getByRole("application");
  await board.scrollIntoViewIfNeeded();
  const box = (await board.boundingBox())!;
  const place = (x: number, y: number) => [box.x + (x / 60) * box.width, box.y + (1 - y / 40) * box.height] as const;
  await page.mouse.move(...place(10, 10));
  await page.mouse.down();
  await page.mouse.move(...place(48, 10), { steps: 70 });
  await page.mouse.move(...place(12, 10), { steps: 70 });
  await page.mouse.move(...place(30, 20), { steps: 3 });
  await page.mouse.up();
  await hockey.play(5000);
  expect(new URL(page.url()).searchParams.get("hockey.charges")).toBe("30,20,100");
  await expect(hockey.root.locator(".message")).toContainText("charges left to place");
});

test("a link that cannot be read says what it could not read, and starts from the defaults", async ({ page }) => {
  const query = "loops.stiffness=lots&loops.display=recording&wings=2&hockey.charges=1%2C2&blocks.count=-3&blocks.colour=red";
  await page.goto(`?${query}`);
  const notice = page.locator("#notice");
  for (const name of ["loops.stiffness=lots", "loops.display=recording", "wings", "hockey.charges"]) {
    await expect(notice).toContainText(name);
  }
  await expect(new Figure(page, "loops").root.getByLabel("Stiffness")).toHaveAttribute("aria-valuetext", "5000 N/m");
  await new Figure(page, "blocks").show();
  await expect(notice).toContainText("blocks.count=-3");
  await expect(notice).toContainText("blocks.colour");
});

test("a browser without JavaScript gets a sentence that says so", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL!);
  await expect(page.locator("noscript .notice")).toContainText("need JavaScript");
  await context.close();
});

test("the page works from any folder of a web server", async ({ page }) => {
  const root = "../../target/page/elsewhere";
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  cpSync("../../target/page/site", `${root}/some/where`, { recursive: true });
  writeFileSync(`${root}/index.html`, "elsewhere");
  const server = await preview({ build: { outDir: root }, preview: { open: false } });
  page.removeAllListeners("request");
  await page.goto(`${server.resolvedUrls!.local[0]}some/where/`);
  const loops = new Figure(page, "loops");
  await loops.show();
  await loops.button("Restart").click();
  await new Figure(page, "blocks").show();
  await server.close();
});

test("every link of the page leads somewhere", async ({ page }) => {
  await page.goto("");
  for (const link of await page.locator("a").all()) {
    const href = (await link.getAttribute("href"))!;
    if (href.startsWith("https:")) continue; // by others; tests ask no other host
    if (href.startsWith("#")) await expect(page.locator(href)).toBeAttached();
    else expect((await page.request.get(href)).status(), href).toBe(200);
  }
});
