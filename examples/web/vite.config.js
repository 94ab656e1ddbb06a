// Builds the pages for the lab: cargo xtask page.

const here = (path) => new URL(path, import.meta.url).pathname;

export default {
  base: "./", // works from any folder of a web server
  resolve: {
    alias: {
      "evenstep/poses": here("../../bindings/js/dist/poses.js"),
      evenstep: here("../../bindings/js/dist/evenstep.js"),
    },
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    license: { fileName: "licenses.txt" },
    chunkSizeWarningLimit: 4000,
    rollupOptions: { input: here("planck.html") },
  },
};
