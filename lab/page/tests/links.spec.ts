import { Figure, expect, open, test } from "./page";

/** The points of the documents that the book answers. */
const POINTS = 82;

for (let part = 0; part < 2; part++) {
  test(`each point of the answers is shown by what its row links to, part ${part + 1} of 2`, async ({ page }) => {
    await page.goto("book/answers.html");
    const rows = await page.locator("main tbody tr").evaluateAll((rows) =>
      rows.map((row) => ({ text: row.textContent!, links: [...row.querySelectorAll("a")].map((link) => link.href) })),
    );
    expect(rows.length).toBeGreaterThanOrEqual(POINTS);
    for (const { text, links } of rows) expect(links.length, text).toBeGreaterThan(0);
    const links = [...new Set(rows.flatMap(({ links }) => links))];
    // Figures wait, so that sliders which follow time stand where the link has put them.
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const link of links.filter((_, index) => index % 2 === part)) {
      await page.goto("about:blank");
      expect((await page.goto(link))!.ok(), link).toBe(true);
      const { hash, pathname, search } = new URL(link);
      const place = hash === "" ? page.locator("main") : page.locator(hash);
      await expect(place, link).toBeAttached();
      if (!/^\/(index.html)?$/.test(pathname)) continue;
      const root = place.locator("figure[data-figure]");
      const figure = new Figure(page, (await root.getAttribute("data-figure"))!);
      await figure.show();
      await expect(page.locator("#notice"), link).toBeHidden();
      // Settings of this figure, whose controls show them.
      for (const [key, value] of new URLSearchParams(search)) {
        const [owner, setting] = key.split(".") as [string, string];
        expect(owner, link).toBe(figure.name);
        const control = root.locator(`[name=${setting}]`);
        if ((await control.count()) === 0) continue; // a text has no control
        const isMenu = (await control.evaluate((element) => element.tagName)) === "SELECT";
        if (isMenu) await expect(control, link).toHaveValue(value);
        else await expect(control, link).toHaveAttribute("aria-valuetext", new RegExp(value.replace(".", "\\.")));
      }
      // It runs.
      const look = () => root.locator("canvas").evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()).join());
      const still = await look();
      await figure.button("Play").click();
      if (figure.name === "hockey") await figure.button("Shoot").click();
      await expect.poll(look, { message: link }).not.toBe(still);
    }
  });
}

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
  expect(picture.headers()["content-type"]).toBe("image/png");
  // It shows something: the colours of both kinds of loops.
  const colours = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const count = (red: number, green: number) => data.filter((value, at) => at % 4 === 0 && value === red && data[at + 1] === green).length;
    return [count(194, 65), count(29, 95)];
  }, (await meta("image"))!);
  expect(Math.min(...colours)).toBeGreaterThan(300);
  const icon = (await page.locator("link[rel=icon]").getAttribute("href"))!;
  expect((await page.request.get(icon)).headers()["content-type"]).toContain("svg");
});
