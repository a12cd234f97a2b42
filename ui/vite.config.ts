import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

// The window serves these files under a strict content security policy: every script, style and
// image is a file of its own, nothing is inlined.
export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: 'safari16',
    assetsInlineLimit: 0,
    // The document preloads the scripts of the start. A page that is loaded when it is opened adds no links
    // to the document: one style sheet, no preloads.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, deps, { hostType }) => (hostType === 'html' ? deps : []),
    },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test-setup.ts'],
    testTimeout: 30_000,
    // The program is loaded once for all files, not once for each: every test starts its own window.
    pool: 'threads',
    isolate: false,
  },
});
