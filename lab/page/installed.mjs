// Runs the conformance script in Chromium, in the page and in a worker, with the npm package as installed in a project:
// without a bundler, and bundled by Vite. node installed.mjs PROJECT, called by cargo ci.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, resolve, sep } from "node:path";
import { build } from "vite";
import { launch } from "../../bindings/js/tests/browser.mjs";

const project = resolve(process.argv[2]);
const root = new URL("../../", import.meta.url);
for (const file of ["stored/conformance.txt", "bindings/js/tests/conformance.mjs"]) copyFileSync(new URL(file, root), `${project}/${basename(file)}`);
const answers = readFileSync(`${project}/conformance.txt`, "utf8").match(/^=/gm).length;

const files = {
  "index.html": `<!doctype html><meta charset="utf-8"><script type="module" src="./main.js"></script>`,
  "main.js": `
    import { conform } from "../conformance.mjs";
    const script = await (await fetch("/conformance.txt")).text();
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.postMessage(script);
    const inWorker = await new Promise((resolve, reject) => {
      worker.onmessage = (event) => resolve(event.data);
      worker.onerror = (event) => reject(new Error(event.message));
    });
    document.title = conform(script) + " and " + inWorker;`,
  "worker.js": `
    import { conform } from "../conformance.mjs";
    onmessage = (event) => postMessage(conform(event.data));`,
};
mkdirSync(`${project}/app`, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(`${project}/app/${name}`, text);

await build({ root: `${project}/app`, base: "./", worker: { format: "es" }, logLevel: "warn" });

// The book's page for pasting, unchanged.
const book = readFileSync(new URL("../../docs/pages/javascript.md", import.meta.url), "utf8");
const pasted = book.split("```html\n").find((block) => block.startsWith("<!doctype")).split("```")[0];
writeFileSync(`${project}/pasted.html`, pasted);

const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".txt": "text/plain" };
const server = createServer((request, response) => {
  const path = resolve(`${project}${new URL(request.url, "http://host").pathname}`);
  try {
    if (!path.startsWith(project + sep)) throw new Error("outside");
    // Without a bundler, a program names the file.
    const file = (_, entry = "evenstep") => `from "/node_modules/evenstep/dist/${entry}.js"`;
    const text = readFileSync(path, "utf8").replaceAll(/from "evenstep(?:\/(\w+))?"/g, file);
    response.writeHead(200, { "content-type": `${types[extname(path)]}; charset=utf-8` }).end(text);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const browser = await launch();
try {
  for (const [name, path] of [["without a bundler", "app/index.html"], ["bundled by Vite", "app/dist/index.html"]]) {
    const page = await browser.newPage();
    const failed = new Promise((_, fail) => page.on("pageerror", fail));
    await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
    const title = page.waitForFunction(() => document.title).then((handle) => handle.jsonValue());
    const shown = await Promise.race([title, failed]);
    if (shown !== `${answers} and ${answers}`) throw new Error(`${name}: ${shown} answers instead of ${answers}`);
    console.log(`${name}: ${answers} answers in the page and in a worker`);
    await page.close();
  }
  const page = await browser.newPage();
  const failed = new Promise((_, fail) => page.on("pageerror", fail));
  await page.goto(`http://127.0.0.1:${server.address().port}/pasted.html`);
  const left = () => {
    const { data } = document.querySelector("canvas").getContext("2d").getImageData(0, 200, 640, 1);
    return data.findIndex((value, index) => index % 4 === 3 && value > 0) / 4;
  };
  const until = (wanted) => Promise.race([page.waitForFunction(`(${left})() ${wanted}`), failed]);
  await page.click("button");
  await until("> 99");
  await page.keyboard.down("ArrowRight");
  await until("> 200");
  await page.keyboard.up("ArrowRight");
  await page.keyboard.down("ArrowLeft");
  await until("< 150");
  await page.keyboard.up("ArrowLeft");
  // The button does not have the focus any more.
  await page.keyboard.press("Space");
  const label = await page.textContent("button");
  if (label !== "Stop") throw new Error(`Space pressed the button: ${label}`);
  await page.click("button");
  await page.waitForFunction(() => document.querySelector("button").textContent === "Start");
  console.log("the page of the book: a square that keys move, started and stopped by a button that does not keep the focus");
} finally {
  await browser.close();
  server.close();
}
