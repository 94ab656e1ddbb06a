import { defineConfig } from "vite";

export default defineConfig({
  base: "./", // works from any folder of a web server
  worker: { format: "es" },
  build: { target: "es2022", assetsInlineLimit: 0 },
});
