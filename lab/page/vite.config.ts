import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

/** The address at which the page is hosted, with a slash at its end; empty until it is. Other sites need it to show the page's picture. */
const SITE = "";

const hasDesktop = ["darwin", "win32"].includes(process.platform) || Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);

/** Links to the page show its first view. */
const sharedPicture = {
  name: "shared-picture",
  apply: "build",
  transformIndexHtml: (html: string) => html.replace('content="./lab.png"', `content="${SITE}lab.png"`),
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "lab.png", source: readFileSync(new URL("../../docs/pages/lab.png", import.meta.url)) });
  },
} as const;

/** `cargo lab` serves the page before these modules are compiled: in its mode each is a file beside the page. */
const compiledLater = {
  name: "compiled-later",
  enforce: "pre" as const,
  resolveId(id: string) {
    const [, name] = /wasm\/(analysis|peers|physics)\/\1$/.exec(id) ?? [];
    return name && { id: `/wasm/${name}/${name}.js`, external: "absolute" as const };
  },
};

const dist = (name: string) => new URL(`../../bindings/js/dist/${name}.js`, import.meta.url).pathname;

export default defineConfig(({ mode }) => ({
  resolve: { alias: { "evenstep/poses": dist("poses"), evenstep: dist("evenstep") } },
  base: "./", // works from any folder of a web server
  plugins: [sharedPicture, mode === "lab" && compiledLater],
  worker: { format: "es", plugins: () => (mode === "lab" ? [compiledLater] : []) },
  appType: "mpa", // missing files are answered with 404
  // The licences of the engines in JavaScript travel with the page.
  build: { target: "es2022", assetsInlineLimit: 0, license: { fileName: "licenses.txt" } },
  // `cargo lab`; if the port is taken, the next free one. A page that was built again is seen.
  preview: { host: "127.0.0.1", port: 7878, headers: { "Cache-Control": "no-cache" }, open: hasDesktop },
}));
