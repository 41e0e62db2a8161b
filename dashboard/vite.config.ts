import type { IncomingMessage } from 'node:http';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineParts } from './mantine.config.ts';
import { operations } from './operations.config.ts';
import { preloads } from './preloads.config.ts';

/** Everything that the server answers itself. All other paths are the dashboard's. */
const API =
  '^/(auth|v1|api|workspaces|invites|api-keys|rate-limits|audit|security-log|instance|health|metrics|docs|n|t|i|events/ses|reset-password|verify-email|change-email|accept-invite|accept-invite-code|frames|openapi\\.json)(/|$|\\?)';
/** As the server does it: a browser that opens an address gets the page, everything else the API. */
const pageOfNavigation = ({ headers, url }: IncomingMessage): string | undefined =>
  headers['sec-fetch-mode'] === 'navigate' && SHARED.test(url ?? '') ? '/index.html' : undefined;
const SHARED = /^\/(auth|workspaces|invites|api-keys|rate-limits|audit|security-log|instance)(\/|$|\?)/;
const SERVER = process.env['POSTHORN_URL'] ?? 'http://localhost:3000';
const proxy = {
  [API]: { target: SERVER, changeOrigin: true, headers: { origin: SERVER }, bypass: pageOfNavigation },
};

/**
 * The frame around every page and the small parts that nearly every page has, in one chunk. Without it they were 60
 * files of a few hundred bytes each, which compress badly and wait for each other. Other parts of Mantine are made of
 * `Input` and `Popover`, so these are here. Parts that only some pages need (`Combobox`, forms, tabs, their icons) are
 * not: Vite gives them to those pages.
 */
const FRAME = new RegExp(
  [
    '/src/app/shell/(?!NavDrawer)',
    '/src/ui/[A-Z][A-Za-z]+\\.',
    '/src/ui/toasts',
    '/node_modules/@floating-ui/',
    '/@mantine/notifications/esm/notifications.store',
    '/@mantine/core/esm/(core|utils/(?!InlineInput))',
    '/@mantine/core/esm/components/(ActionIcon|Button|CloseButton|FocusTrap|Group|Input|Loader|Menu|Overlay|Paper|Popover)/',
    '/@mantine/core/esm/components/(Portal|Skeleton|Stack|Text|Tooltip|Transition|UnstyledButton|VisuallyHidden)/',
  ].join('|'),
);

const ENTRY = /vite\/preload-helper|\/src\/(early|lib\/connection|api\/active-workspace)\.ts$/;

export default defineConfig({
  plugins: [operations(), mantineParts(), react(), preloads()],
  // The server replaces this in each answer, and names the same value in the Content-Security-Policy.
  html: { cspNonce: '__NONCE__' },
  // The server only accepts writes of a cookie session that come from its own origin.
  server: { port: 5173, proxy },
  preview: { port: 4173, proxy },
  build: {
    outDir: 'dist',
    // A data: address would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `npm run check` reads from it which files each page loads. The server does not serve it.
    manifest: true,
    rolldownOptions: {
      output: {
        // Without their names, which the entry lists for all pages: 2 kB of every first load. The manifest has them.
        chunkFileNames: 'assets/[hash:8].js',
        assetFileNames: 'assets/[hash:8][extname]',
        codeSplitting: {
          groups: [
            // The entry asks for data and for the rest; it does not wait for the rest.
            { name: 'entry', priority: 3, test: ENTRY },
            { name: 'frame', priority: 2, test: (id) => FRAME.test(id.replaceAll('\\', '/')) },
            // Operations that several parts call: alone, they were 50 files of 120 bytes.
            {
              name: 'operations',
              test: /\?only=/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2_000,
            },
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
});
