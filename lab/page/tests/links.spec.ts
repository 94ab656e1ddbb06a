import { readFileSync } from "node:fs";
import { Figure, expect, open, test } from "./page";

const ANSWERS = readFileSync("../../docs/pages/answers.md", "utf8");
/** The addresses by which the page of answers links to figures. */
const links = [...new Set([...ANSWERS.matchAll(/\]\(\.\.\/\.\.\/lab\/page\/index\.html(\?[^)#]*#[a-z-]+|#[a-z-]+)\)/g)].map(([, link]) => link!))];

test("every link of the answers to a figure shows it with its settings", async ({ page }) => {
  expect(links.length).toBeGreaterThan(20);
  // Figures wait, so that sliders which follow time stand where the link has put them.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const link of links) {
    await page.goto(`about:blank`);
    await page.goto(link);
    const section = page.locator(link.slice(link.indexOf("#")));
    const figure = section.locator("figure[data-figure]");
    const name = (await figure.getAttribute("data-figure"))!;
    await new Figure(page, name).show();
    await expect(page.locator("#notice"), link).toBeHidden();
    // Settings of this figure, whose controls show them.
    for (const [key, value] of new URLSearchParams(link.split("#")[0])) {
      const [owner, setting] = key.split(".") as [string, string];
      expect(owner, link).toBe(name);
      const control = figure.locator(`[name=${setting}]`);
      if ((await control.count()) === 0) continue; // a text has no control
      const isMenu = (await control.evaluate((element) => element.tagName)) === "SELECT";
      if (isMenu) await expect(control, link).toHaveValue(value);
      else await expect(control, link).toHaveAttribute("aria-valuetext", new RegExp(value.replace(".", "\\.")));
    }
  }
});

test("the link that a figure copies has its settings, and no other figure's", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const spiral = await open(page, "spiral", "loops.display=50&spiral.cost=25&spiral.policy=drop");
  await spiral.button("Copy link").click();
  await expect(spiral.root.locator(".shared")).toContainText("is copied");
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(`${link.search}${link.hash}`).toBe("?spiral.cost=25&spiral.policy=drop#the-spiral");
});

test("a link to the page has a title, a sentence, a picture and an icon", async ({ page }) => {
  await page.goto("");
  const meta = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute("content");
  expect(await meta("title")).toContain("Fix Your Timestep!");
  expect((await meta("description"))!.length).toBeGreaterThan(40);
  const picture = await page.request.get((await meta("image"))!);
  const bytes = await picture.body();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  // It shows something: the colours of both kinds of loops.
  const colours = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const pen = new OffscreenCanvas(1200, 630).getContext("2d")!;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, 1200, 630);
    const count = (red: number, green: number) => data.filter((value, at) => at % 4 === 0 && value === red && data[at + 1] === green).length;
    return [count(251, 139), count(116, 169)];
  }, (await meta("image"))!);
  expect(Math.min(...colours)).toBeGreaterThan(300);
  const icon = (await page.locator("link[rel=icon]").getAttribute("href"))!;
  expect((await page.request.get(icon)).headers()["content-type"]).toContain("svg");
});
