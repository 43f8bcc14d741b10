import { defineConfig } from "vite";

export default defineConfig({
  // The page works from any folder of a static file server.
  base: "./",
  build: {
    target: "es2022",
    // The WebAssembly file stays a file of its own.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
