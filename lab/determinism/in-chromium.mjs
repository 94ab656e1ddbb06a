// The module in Chromium, loaded over HTTP as the page loads its own.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { launch } from "../page/browser.mjs";

const TYPES = { "/": "text/html", "/determinism.js": "text/javascript", "/determinism_bg.wasm": "application/wasm" };

export async function open(folder) {
  const server = createServer((request, response) => {
    const type = TYPES[request.url];
    response.writeHead(type ? 200 : 404, { "content-type": type ?? "text/plain" });
    response.end(type && request.url !== "/" ? readFileSync(join(folder, request.url)) : "");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async () => {
    globalThis.determinism = await import("/determinism.js");
    await globalThis.determinism.default();
  });
  return {
    names: () => page.evaluate(() => globalThis.determinism.names()),
    toolkit: (frames) => page.evaluate((frames) => globalThis.determinism.toolkit(frames), frames),
    record: (name, seed) => page.evaluate(record, { name, seed }),
    replay: (file, name) => page.evaluate(replay, { file, name }),
    async close() {
      await browser.close();
      server.close();
    },
  };
}

// These two functions run in the page. They take and return only text.

function record({ name, seed }) {
  const recorded = globalThis.determinism.record(name, seed);
  const bytes = Array.from(recorded.file(), (byte) => String.fromCharCode(byte));
  return { hash: recorded.hash(), file: btoa(bytes.join("")) };
}

function replay({ file, name }) {
  const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0));
  return globalThis.determinism.replay(bytes, name);
}
