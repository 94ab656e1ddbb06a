import { defineConfig } from "vite";

const hasDesktop = ["darwin", "win32"].includes(process.platform) || Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);

export default defineConfig({
  base: "./", // works from any folder of a web server
  worker: { format: "es" },
  appType: "mpa", // missing files are answered with 404
  build: { target: "es2022", assetsInlineLimit: 0 },
  // `cargo lab`; if the port is taken, the next free one. A page that was built again is seen.
  preview: { host: "127.0.0.1", port: 7878, headers: { "Cache-Control": "no-cache" }, open: hasDesktop },
});
