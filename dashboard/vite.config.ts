import type { IncomingMessage } from 'node:http';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { smallFont } from './font.config.ts';
import { mantineParts, SHEETS } from './mantine.config.ts';
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

const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'));

/**
 * The frame around every page and the small parts that half of the pages and more have, in one chunk. Without it they
 * were 80 files of a few hundred bytes each, which compress badly and wait for each other: over HTTP/1.1 a browser asks
 * for six at a time. Other parts of Mantine are made of `Input`, so it is here. Menus and hints
 * are not (`FLOATING`).
 */
const FRAME = anyOf(
  '/src/app/shell/(?!NavDrawer)',
  '/src/ui/[A-Z][A-Za-z]+\\.',
  '/src/ui/toasts',
  '/src/ui/code/(CodeBlock|CurlButton|code\\.)',
  '/src/ui/record/(Properties|record\\.)',
  '/src/ui/(menu/Later|form/Form)',
  '/src/lib/(use-url-state|number|shortcuts|action-words|mail/(sandbox-domain|email-status|sources|message-id)|blocks/shown-subject|files/download)\\.ts',
  '/src/pages/(account/OutsideLayout|emails/email-title)',
  '/src/api/(operation-of|use-write)\\.ts',
  '/@tanstack/(query-core/build/modern/mutationObserver|react-query/build/modern/useMutation)',
  '/lucide-react/dist/esm/icons/(terminal|x|chevron-left|chevron-right|chevron-down|circle|circle-check)\\.mjs',
  '/@mantine/notifications/esm/notifications.store',
);
/** Apart from our parts, so that a phone evaluates them in two turns; `main.ts` asks for it by the theme. */
const MANTINE = anyOf(
  '/src/app/theme\\.',
  '/src/ui/WaitingButton\\.',
  '/@mantine/hooks/esm/(use-force-update|use-merged-ref|use-uncontrolled|utils/use-callback-ref)/',
  '/@mantine/core/esm/(core|utils/(?!InlineInput|Floating))',
  '/@mantine/core/esm/components/(ScrollArea/utils/to-int|Checkbox/CheckIcon|InputBase/|TextInput/)',
  '/@mantine/core/esm/components/(ActionIcon|Button|CloseButton|Group|Input|Loader|Paper)/',
  '/@mantine/core/esm/components/(Skeleton|Stack|Text|Transition|UnstyledButton|VisuallyHidden)/',
);
/** Parts that a third of the pages have together, with the sheets that `mantineParts` gives them. */
const LIST = anyOf(
  '/src/ui/list/(DataTable|ListPage|columns|use-selection|SearchFilter|filters)',
  '/src/api/use-list',
  '/lucide-react/dist/esm/icons/(columns-3|search-x)\\.mjs',
);
/** Lists choose rows by them; forms have them, too. */
const CHECKBOX = anyOf(
  '/@mantine/core/(esm/(components/Checkbox|utils/InlineInput)/|styles/(Checkbox|InlineInput)\\.)',
);
/** Parts that open above a page. Menus and hints bring them after it; forms with choices have them at first. */
const FLOATING = anyOf(
  '/node_modules/@floating-ui/',
  '/@mantine/hooks/esm/use-(click-outside|focus-return|focus-trap|previous)/',
  '/@mantine/core/esm/utils/Floating/',
  '/@mantine/core/esm/components/(FocusTrap|Overlay|Popover|Portal)/',
);
const CHOICES = anyOf('/@mantine/core/esm/components/(Combobox|ScrollArea|Select)/');
const FIGURES = anyOf(
  '/src/ui/data/(Stat|Chart)\\.',
  '/src/lib/use-idle\\.ts',
  '/@mantine/hooks/esm/(use-(shallow-effect|timeout|mutation-observer|mounted)|utils/shallow-equal)/',
  '/@mantine/core/(esm/components|styles)/(Progress|SegmentedControl|FloatingIndicator)[./]',
);

// Large files travel side by side, as the three of all pages: a connection begins slowly, and each takes its part.
const REACT = anyOf('rolldown/runtime', '/node_modules/(react|react-dom|scheduler|use-sync-external-store)/');
const DATA = anyOf('/node_modules/@tanstack/', '/src/api/query-client\\.');

const ENTRY = /vite\/preload-helper|\/src\/(early|lib\/connection|api\/active-workspace)\.ts$/;

const group = (name: string, priority: number, pattern: RegExp) => ({
  name,
  priority,
  test: (id: string) => pattern.test(id.replaceAll('\\', '/')),
});

export default defineConfig({
  plugins: [operations(), smallFont(), mantineParts(), react(), preloads()],
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
            group('react', 4, REACT),
            group('data', 4, DATA),
            group('sheets', 5, anyOf(...SHEETS)),
            group('mantine', 3, MANTINE),
            group('frame', 2, FRAME),
            group('checkbox', 2, CHECKBOX),
            group('list', 1, LIST),
            group('floating', 2, FLOATING),
            group('choices', 1, CHOICES),
            group('figures', 1, FIGURES),
          ],
        },
      },
    },
    reportCompressedSize: false,
  },
});
