import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Check } from './check.ts';
import { type BuiltParts, partsOfBuild } from './dashboard-chunks.ts';
import { type MantineSheets, partsWithoutLooks, readMantineSheets } from './mantine-styles.ts';

/** The scripts and styles that a browser must have before it can show a page, as they travel. */
const FIRST_LOAD_BYTES_MAX = 250_000;
/** Over HTTP/1.1 a browser asks for six files at a time, and each six take a round trip more. */
const FIRST_LOAD_FILES_MAX = 40;
/** Operations of the API that every page loads: of the session and the frame. Pages bring what they call. */
const OPERATIONS_OF_ALL_MAX = 8;
const OPERATION = /\burl:["'`]\/[a-z]/g;
/** Parts that a page loads by itself when it is there. Choices of filters are in lists, which have their sheets. */
const AFTER_THE_PAGE = [
  'app/Toasts',
  'app/shell/NavDrawer',
  'app/palette/Palette',
  'ui/hint/Hint',
  'ui/menu/LoadedMenu',
  'ui/menu/LoadedPopover',
  'ui/dialog/LoadedDialog',
].map((part) => `src/${part}.tsx`);

/**
 * Addresses that stand in the files and are asked by nobody: names of XML, and pages that messages of libraries and
 * licenses name.
 */
const NAMED_ONLY =
  /^https?:\/\/(www\.w3\.org|www\.ibm\.com|reactflow\.dev|localhost|127\.0\.0\.1|react\.dev|reactjs\.org|github\.com|mui\.com|mantine\.dev|tanstack\.com|redux\.js\.org|redux-toolkit\.js\.org|bit\.ly|fb\.me|prosemirror\.net|tiptap\.dev|developer\.mozilla\.org|[a-z.]*\bexample\.(com|org|net)|posthorn\.test)(?![\w.-])/;

/** The built dashboard is small to begin with, and asks nobody but its own server. */
export const dashboardBundle: Check = {
  name: 'dashboard-bundle',
  async run({ root }) {
    const { buildDashboardIfNeeded } = await import(join(root, 'scripts/dashboard.mjs'));
    const folder: unknown = await buildDashboardIfNeeded();
    if (typeof folder !== 'string') return [];
    return [...namesOfNothing(folder), ...problemsOfBuild(folder, readMantineSheets(join(root, 'dashboard')))];
  },
};

/** A part that was renamed would not be looked at any more. */
export function namesOfNothing(folder: string): string[] {
  const names = new Set(partsOfBuild(folder).lazy.map(({ name }) => name));
  return AFTER_THE_PAGE.filter((name) => !names.has(name)).map(
    (name) => `${name} is no part of its own: dashboard-bundle.ts names it`,
  );
}

export function problemsOfBuild(folder: string, sheets: MantineSheets): string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const parts = partsOfBuild(folder);
  const inline = /<script(?![^>]*\ssrc=)[^>]*>/.test(page);
  return [
    ...tooLarge(folder, parts),
    ...tooManyOperations(folder, parts),
    ...layersAfterThePage(folder, parts),
    ...partsWithoutLooks(folder, parts, sheets),
    ...(inline ? ['index.html has an inline script, which its policy does not run'] : []),
    ...(page.includes('__NONCE__')
      ? []
      : ['index.html has no __NONCE__: styles that components write are not applied']),
    ...textsOf(folder).flatMap((file) => strangersIn(file, readFileSync(join(folder, file), 'utf8'))),
  ];
}

/** Pages whose scripts and styles, with those of the entry and the frame, are too many bytes or too many files. */
function tooLarge(folder: string, { entry, lazy }: BuiltParts): string[] {
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
    sizes.set(file, size);
    return size;
  };
  const pages = lazy.filter(({ name }) => name.startsWith('src/pages/') && name.endsWith('Page.tsx'));
  return pages.flatMap(({ name, files }) => {
    const first = [...new Set([...entry.files, ...files])];
    const bytes = first.reduce((sum, file) => sum + sizeOf(file), 0);
    const tooMany =
      first.length > FIRST_LOAD_FILES_MAX
        ? [`the first load of ${name} has ${first.length} files; the limit is ${FIRST_LOAD_FILES_MAX}`]
        : [];
    if (bytes <= FIRST_LOAD_BYTES_MAX) return tooMany;
    const largest = first.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 5);
    return [
      ...tooMany,
      `the first load of ${name} has ${bytes} bytes with gzip; the limit is ${FIRST_LOAD_BYTES_MAX}: ` +
        largest.map((file) => `${file} ${sizeOf(file)}`).join(', '),
    ];
  });
}

/** A sheet with a layer makes a browser look at the whole page anew: parts that come by themselves have none. */
function layersAfterThePage(folder: string, { entry, lazy }: BuiltParts): string[] {
  const after = lazy.filter(({ name }) => AFTER_THE_PAGE.includes(name));
  return after.flatMap(({ name, files }) =>
    [...files]
      .filter((file) => file.endsWith('.css') && !entry.files.has(file))
      .filter((file) => readFileSync(join(folder, file), 'utf8').includes('@layer'))
      .map((file) => `${name} brings a layer (${file}) after the page: name its sheet in SHEETS of mantine.config.ts`),
  );
}

function tooManyOperations(folder: string, { entry }: BuiltParts): string[] {
  const scripts = [...entry.files].filter((file) => file.endsWith('.js'));
  const number = scripts.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(OPERATION) ?? []).length;
  if (number <= OPERATIONS_OF_ALL_MAX) return [];
  return [
    `every page loads ${number} operations of the API; the limit is ${OPERATIONS_OF_ALL_MAX}: ` +
      'dashboard/operations.config.ts gives them to the pages that call them',
  ];
}

const textsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|css|html|svg|webmanifest)$/.test(file),
  );

function strangersIn(file: string, text: string): string[] {
  const found = [...text.matchAll(/\bhttps?:\/\/[a-z0-9][a-z0-9.-]*\.[a-z]{2,}[^\s"'`)\\<]*/gi)].map(([url]) => url);
  return [...new Set(found)].filter((url) => !NAMED_ONLY.test(url)).map((url) => `${file} names another host: ${url}`);
}
