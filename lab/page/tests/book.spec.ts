import { readdirSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./page";

const BOOK = "../../target/page/site/book";
const pages = readdirSync(BOOK).filter((name) => name.endsWith(".html") && name !== "toc.html");

for (let part = 0; part < 4; part++) {
  // Every page also fails on a request to another host, and on an error on the console.
  test(`pages of the book open without a request to another host, part ${part + 1} of 4`, async ({ page }) => {
    expect(pages.length).toBeGreaterThan(35);
    for (const name of pages.filter((_, index) => index % 4 === part)) {
      await page.goto(`book/${name}`, { waitUntil: "networkidle" });
      await expect(page.locator("main")).toBeAttached();
    }
  });
}

test("the book is searched", async ({ page }) => {
  await page.goto("book/introduction.html");
  await page.keyboard.press("s");
  await page.locator("#mdbook-searchbar").pressSequentially("spiral");
  const results = page.locator("#mdbook-searchresults li");
  await expect(results.first()).toContainText(/spiral/i);
});

/** What people type, and the pages that answer it. */
const QUERIES: [query: string, page: RegExp][] = [
  ["too fast on 144hz", /troubleshooting.html#too-fast|adopting|loop.html$/],
  ["faster on 144 Hz monitor", /troubleshooting.html#too-fast|adopting/],
  ["jitter", /drawing|clock|troubleshooting/],
  ["stutter", /troubleshooting|recordings|diagnosis/],
  ["interpolation", /drawing|glossary/],
  ["input lag", /clock.html#input|input.html|troubleshooting/],
  ["missed key press", /input.html|troubleshooting.html#key-presses/],
  ["camera jitter", /cameras|troubleshooting.html#camera/],
  ["rotation wrap", /drawing|troubleshooting.html#(angles|a-rotation)/],
  ["spin the long way round", /troubleshooting|drawing/],
  ["100% cpu", /troubleshooting.html#a-busy/],
  ["alt tab", /loop|troubleshooting/],
  ["gsync", /troubleshooting/],
  ["freesync", /troubleshooting/],
  ["vsync", /troubleshooting/],
  ["multiplayer", /network|peers|troubleshooting.html#two-machines/],
  ["audio sync", /follow-a-song|troubleshooting.html#the-song/],
  ["gamepad", /input|troubleshooting.html#a-gamepad/],
  ["macroquad", /which-call|tutorial|window|adopting/],
  ["SDL", /which-call|c.html|input/],
  ["bevy", /bevy.html/],
  ["three.js", /which-call|javascript/],
  ["pygame", /python/],
  ["slow motion", /loop|troubleshooting.html#slow-motion/],
  ["spiral of death", /loop|troubleshooting.html#slow-motion/],
  ["bullets through walls", /troubleshooting.html#fast/],
  ["pixel art wobble", /troubleshooting.html#pixel-art/],
  ["window drag freeze", /troubleshooting.html#a-window/],
  ["cooldown timer", /troubleshooting.html#(a-cooldown|times)/],
  ["particles", /troubleshooting.html#particles/],
  ["jump height depends on fps", /troubleshooting.html#(a-jump|too-fast)|adopting|tutorial/],
  ["double jump", /troubleshooting.html#key-presses|input/],
];

test("the book's search finds a symptom in the searcher's words, and a right page is the first result", async ({ page }) => {
  const wrong: string[] = [];
  for (const [query, right] of QUERIES) {
    await page.goto(`book/introduction.html?search=${encodeURIComponent(query)}`);
    // The header says how many results there are once they are listed.
    await expect(page.locator("#mdbook-searchresults-header")).toContainText(/search result/);
    const first = await page.locator("#mdbook-searchresults li a").first().getAttribute("href", { timeout: 1000 }).catch(() => "nothing");
    const found = first!.replace(/\?highlight[^#]*/, "");
    if (!right.test(found)) wrong.push(`${query}: ${found}`);
  }
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(2);
});

test("no link of the book within the lab is dead", async ({ page, request }) => {
  const dead: string[] = [];
  const known = new Map<string, number>();
  for (const name of pages) {
    await page.goto(`book/${name}`, { waitUntil: "domcontentloaded" });
    const links = await page.locator("a[href], link[href]").evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href.replace(/[#?].*/, "")));
    for (const link of new Set(links.filter((link) => link.startsWith(new URL(page.url()).origin)))) {
      if (!known.has(link)) known.set(link, (await request.get(link)).status());
      if (known.get(link)! >= 400) dead.push(`${name}: ${link}`);
    }
  }
  expect(known.size).toBeGreaterThan(pages.length);
  expect(dead).toEqual([]);
});

test("the book can be read in the dark", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const name of ["troubleshooting", "tutorial", "recordings", "bevy"]) {
    await page.goto(`book/${name}.html`, { waitUntil: "networkidle" });
    const rules = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];
    const { violations } = await new AxeBuilder({ page }).withRules(rules).analyze();
    expect(violations.map(({ id, nodes }) => `${name}, ${id}: ${nodes[0]!.html}, ${nodes[0]!.any[0]?.message}`)).toEqual([]);
  }
});
