import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/harness/data-dir.ts';
import { namesOfNothing, problemsOfBuild } from './dashboard-bundle.ts';
import { dashboardLayers } from './dashboard-layers.ts';
import { readMantineSheets } from './mantine-styles.ts';

function plant(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

test('imports in the dashboard go one way, and none crosses to the server or back', async (t) => {
  const root = temporaryFolder(t);
  plant(root, {
    'dashboard/src/main.tsx': `import { App } from './app/App.tsx';`,
    'dashboard/src/app/App.tsx': `const page = () => import('../pages/emails/EmailsPage.tsx');`,
    'dashboard/src/pages/emails/EmailsPage.tsx': `import { rows } from './rows.ts'; import '../../ui/list/List.tsx';`,
    'dashboard/src/pages/emails/rows.ts': `import '../outbox/OutboxPage.tsx';`,
    'dashboard/src/pages/outbox/OutboxPage.tsx': `import '../../app/App.tsx';`,
    'dashboard/src/ui/list/List.tsx': `export { pb } from '../../lib/paths.ts'; import '../../api/session.ts';`,
    'dashboard/src/ui/link.tsx': `import { Link } from '@tanstack/react-router';`,
    'dashboard/src/lib/paths.ts': `export const page = () => import('../pages/outbox/OutboxPage.tsx');`,
    'dashboard/src/lib/roles.ts': `import '../../../server/src/features/roles.ts';`,
    'dashboard/src/lib/roles.test.ts': `import '../../../server/src/features/roles.ts';`,
    'dashboard/test/harness/dashboard.ts': `import '../../../server/test/harness/browser.ts';`,
    'dashboard/test/harness/server.ts': `import '../../../server/src/main/posthorn.ts';`,
    'server/src/main/page.ts': `import '../../../dashboard/src/lib/paths.ts';`,
  });
  const problems = await dashboardLayers.run({ root, server: join(root, 'server') });
  assert.deepEqual(
    problems.map((problem) => problem.split(' imports ')[0]),
    [
      'dashboard/src/lib/paths.ts:1',
      'dashboard/src/lib/roles.ts:1',
      'dashboard/src/pages/emails/rows.ts:1',
      'dashboard/src/pages/outbox/OutboxPage.tsx:1',
      'dashboard/src/ui/link.tsx:1',
      'dashboard/src/ui/list/List.tsx:1',
      'dashboard/test/harness/server.ts:1',
      'server/src/main/page.ts:1',
    ],
  );
});

const NO_SHEETS = new Map<string, string>();
const NONCED = '<meta property="csp-nonce" nonce="__NONCE__"><script type="module" src="/assets/index.js"></script>';

test('a build is refused for an inline script, a missing nonce and every other host', (t) => {
  const root = temporaryFolder(t);
  plant(root, {
    'index.html': '<script>1</script><script type="module" src="/assets/index.js"></script>',
    '.vite/manifest.json': JSON.stringify({ 'index.html': { file: 'assets/index.js', isEntry: true } }),
    'assets/index.js': `fetch("https://fonts.evil.example/x")`,
    'assets/later.js': `// http://www.w3.org/2000/svg`,
  });
  const [inline = '', nonce = '', host = '', ...more] = problemsOfBuild(root, NO_SHEETS);
  assert.match(inline, /inline script/);
  assert.match(nonce, /__NONCE__/);
  assert.equal(host, 'assets/index.js names another host: https://fonts.evil.example/x');
  assert.deepEqual(more, []);
});

/** Text that cannot be compressed: each number is another. With gzip it has about half of its length. */
const incompressible = (numbers: number): string => Array.from({ length: numbers }, (_, at) => Math.sin(at)).join();

test('a build is refused for a page that loads more than 250 kB with the entry, its imports and its styles', (t) => {
  const root = temporaryFolder(t);
  plant(root, {
    'index.html': NONCED,
    '.vite/manifest.json': JSON.stringify({
      'index.html': {
        file: 'assets/index.js',
        isEntry: true,
        css: ['assets/index.css'],
        dynamicImports: ['src/pages/few/FewPage.tsx', 'src/pages/many/ManyPage.tsx', 'src/app/palette/Palette.tsx'],
      },
      '_part.js': { file: 'assets/part.js', css: ['assets/part.css'], dynamicImports: ['src/ui/editor/Editor.tsx'] },
      'src/pages/few/FewPage.tsx': { file: 'assets/few.js', imports: ['index.html'] },
      'src/pages/many/ManyPage.tsx': { file: 'assets/many.js', imports: ['index.html', '_part.js'] },
      'src/app/palette/Palette.tsx': { file: 'assets/palette.js', imports: ['_part.js'] },
      'src/ui/editor/Editor.tsx': { file: 'assets/editor.js' },
    }),
    'assets/index.js': `// ${incompressible(5_000)}`,
    'assets/index.css': `/* ${incompressible(5_000)} */`,
    'assets/part.js': `// ${incompressible(10_000)}`,
    'assets/part.css': `/* ${incompressible(10_000)} */`,
    'assets/few.js': '',
    'assets/many.js': '',
    'assets/palette.js': `// ${incompressible(20_000)}`,
    'assets/editor.js': `// ${incompressible(60_000)}`,
  });
  const [size = '', ...more] = problemsOfBuild(root, NO_SHEETS);
  assert.match(
    size,
    /^the first load of src\/pages\/many\/ManyPage\.tsx has \d{6} bytes with gzip; the limit is 250000: assets\/part\.(css|js) \d+, /,
  );
  assert.deepEqual(more, []);
});

test('a build is refused for a page that loads more than 40 files', (t) => {
  const root = temporaryFolder(t);
  const page = 'src/pages/a/APage.tsx';
  const parts = Array.from({ length: 39 }, (_, at) => `_part${at}.js`);
  const manifest = (imports: readonly string[]) => ({
    'index.html': { file: 'assets/index.js', isEntry: true, dynamicImports: [page] },
    [page]: { file: 'assets/a.js', imports },
    ...Object.fromEntries(parts.map((name) => [name, { file: `assets/${name}` }])),
  });
  const scripts = Object.fromEntries(parts.map((name) => [`assets/${name}`, '']));
  const build = { 'index.html': NONCED, 'assets/index.js': '', 'assets/a.js': '', ...scripts };
  plant(root, { ...build, '.vite/manifest.json': JSON.stringify(manifest(parts.slice(1))) });
  assert.deepEqual(problemsOfBuild(root, NO_SHEETS), []);
  plant(root, { '.vite/manifest.json': JSON.stringify(manifest(parts)) });
  assert.deepEqual(problemsOfBuild(root, NO_SHEETS), [`the first load of ${page} has 41 files; the limit is 40`]);
});

test('a build is refused for operations of the API that come with the entry or the frame', (t) => {
  const root = temporaryFolder(t);
  const start = 'src/start.tsx';
  const page = 'src/pages/a/APage.tsx';
  const operations = (number: number): string => Array.from({ length: number }, () => 'get({url:`/v1/x`})').join();
  plant(root, {
    'index.html': NONCED,
    '.vite/manifest.json': JSON.stringify({
      'index.html': { file: 'assets/index.js', isEntry: true, dynamicImports: [start, page] },
      [start]: { file: 'assets/start.js', imports: ['index.html', '_frame.js'] },
      '_frame.js': { file: 'assets/frame.js' },
      [page]: { file: 'assets/a.js' },
    }),
    'assets/index.js': operations(3),
    'assets/start.js': '',
    'assets/frame.js': operations(5),
    'assets/a.js': operations(20),
  });
  assert.deepEqual(problemsOfBuild(root, NO_SHEETS), []);
  plant(root, { 'assets/frame.js': operations(6) });
  const [many = '', ...more] = problemsOfBuild(root, NO_SHEETS);
  assert.match(many, /^every page loads 9 operations of the API; the limit is 8/);
  assert.deepEqual(more, []);
});

test('a build is refused for a sheet with a layer that comes by itself after the page, and a renamed part is told', (t) => {
  const root = temporaryFolder(t);
  const toasts = 'src/app/Toasts.tsx';
  const opened = 'src/pages/a/Dialog.tsx';
  plant(root, {
    'index.html': NONCED,
    '.vite/manifest.json': JSON.stringify({
      'index.html': {
        file: 'assets/index.js',
        isEntry: true,
        css: ['assets/index.css'],
        dynamicImports: [toasts, opened],
      },
      [toasts]: { file: 'assets/toasts.js', css: ['assets/index.css', 'assets/toasts.css'] },
      [opened]: { file: 'assets/opened.js', css: ['assets/opened.css'] },
    }),
    'assets/index.js': '',
    'assets/index.css': '@layer mantine{}',
    'assets/toasts.js': '',
    'assets/toasts.css': '.toast{color:red}',
    'assets/opened.js': '',
    'assets/opened.css': '@layer mantine{}',
  });
  assert.deepEqual(problemsOfBuild(root, NO_SHEETS), []);
  const unnamed = namesOfNothing(root);
  assert.ok(!unnamed.some((problem) => problem.startsWith(toasts)));
  assert.ok(unnamed.includes('src/app/palette/Palette.tsx is no part of its own: dashboard-bundle.ts names it'));
  plant(root, { 'assets/toasts.css': '@layer mantine{.toast{color:red}}' });
  const [layer = '', ...more] = problemsOfBuild(root, NO_SHEETS);
  assert.match(layer, /^src\/app\/Toasts\.tsx brings a layer \(assets\/toasts\.css\) after the page/);
  assert.deepEqual(more, []);
});

test('a build is refused for a part of Mantine whose sheet is loaded neither with it nor with the entry', (t) => {
  const root = temporaryFolder(t);
  plant(root, {
    'index.html': NONCED,
    '.vite/manifest.json': JSON.stringify({
      'index.html': { file: 'assets/index.js', isEntry: true, css: ['assets/index.css'] },
      'src/pages/a/APage.tsx': { file: 'assets/a.js', css: ['assets/a.css'] },
      'src/pages/b/BPage.tsx': {
        file: 'assets/b.js',
        dynamicImports: ['src/pages/a/APage.tsx', 'src/pages/b/BPage.tsx'],
      },
    }),
    'assets/index.js': `const Button = { root: "m_77c9d27d", bare: "m_00000000" };`,
    'assets/index.css': '@layer mantine{.m_77c9d27d{color:red}}',
    'assets/a.js': `const Slider = { root: "m_dd36362e" }, Button = { root: "m_77c9d27d" };`,
    'assets/a.css': '@layer mantine{.m_dd36362e:hover{color:red}}',
    'assets/b.js': `const Slider = { root: "m_dd36362e" };`,
  });
  const sheets = new Map([
    ['m_77c9d27d', '@mantine/core/styles/Button.layer.css'],
    ['m_dd36362e', '@mantine/core/styles/Slider.layer.css'],
  ]);
  assert.deepEqual(problemsOfBuild(root, sheets), [
    'src/pages/b/BPage.tsx uses parts whose looks are not loaded: import @mantine/core/styles/Slider.layer.css',
  ]);
});

test('the sheets of Mantine are known by the classes of its parts', () => {
  const sheets = readMantineSheets(join(import.meta.dirname, '../../dashboard'));
  assert.equal(sheets.get('m_77c9d27d'), '@mantine/core/styles/Button.layer.css');
  assert.ok([...sheets.values()].includes('@mantine/notifications/styles.layer.css'));
});
