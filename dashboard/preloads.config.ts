import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** A chunk in the manifest of Vite, whose keys are the source files of entries and of `import()`s. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

/** A line of the map in `src/app/routes.tsx`. */
const PAGE = /(page|outsidePage)\(\s*'([^']+)',\s*lazyPage\(\(\) => import\('\.\.\/([^']+)'\)/g;
/** A tab in the file of its page (`src/ui/record/lazy-tab.tsx`). */
const TAB = /\blazyTab\(\s*'([\w-]+)',\s*\(\) =>\s*import\('([^']+)'\)/g;
const FRAME = 'src/app/shell/Shell.tsx';
const START = 'src/start.tsx';
/** A script that takes longer than the rest: the browser begins with it. */
const LARGE_BYTES = 50_000;

/** The tabs that a page loads when they are opened, with their keys of the manifest. Throws if one is missed. */
function tabsOf(page: string): [string, string][] {
  const source = readFileSync(new URL(page, import.meta.url), 'utf8');
  const tabs = [...source.matchAll(TAB)].map(([, tab = '', file = '']): [string, string] => [
    tab,
    join(dirname(page), file).replaceAll('\\', '/'),
  ]);
  if (tabs.length !== source.split('lazyTab(').length - 1) {
    throw new Error(`${page} has a lazyTab in another form than those that preloads.config.ts reads`);
  }
  return tabs;
}

/**
 * Writes `.vite/preloads.json`: for each path of a page whether it has the frame, and the scripts and styles that it
 * loads after the entry, the large ones apart, and those of each tab. The server names them in the head of the page,
 * so that a browser asks for them at once, and not after the entry has run.
 */
export const preloads = (): Plugin => ({
  name: 'posthorn-preloads',
  apply: 'build',
  writeBundle({ dir = '' }) {
    // Vite writes it.
    const manifest = JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
    const filesOf = (...names: string[]): string[] => {
      const chunks = new Set(names);
      for (const name of chunks) for (const imported of manifest[name]?.imports ?? []) chunks.add(imported);
      const files = [...chunks].flatMap((name) => [manifest[name]?.file ?? [], manifest[name]?.css ?? []].flat());
      return [...new Set(files)].map((file) => `/${file}`);
    };
    const entry = new Set(filesOf(...Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true)));
    const map = readFileSync(new URL('src/app/routes.tsx', import.meta.url), 'utf8');
    const isLarge = (file: string): boolean => statSync(join(dir, file)).size >= LARGE_BYTES;
    const pages = [...map.matchAll(PAGE)].map(([, kind, path, file]) => {
      const names = kind === 'page' ? [START, `src/${file}`, FRAME] : [START, `src/${file}`];
      const files = filesOf(...names).filter((one) => !entry.has(one));
      const known = new Set([...entry, ...files]);
      const tabs = tabsOf(`src/${file}`).map(([tab, name]): [string, string[]] => {
        if (manifest[name] === undefined) throw new Error(`src/${file}: the tab ${tab} has no chunk of its own`);
        return [tab, filesOf(name).filter((one) => !known.has(one))];
      });
      return {
        path,
        hasFrame: kind === 'page',
        large: files.filter((one) => isLarge(one)),
        files: files.filter((one) => !isLarge(one)),
        tabs: Object.fromEntries(tabs),
      };
    });
    if (pages.length < 10 || pages.some(({ large }) => large.length === 0)) {
      throw new Error('the pages in src/app/routes.tsx were not found; preloads.config.ts reads them');
    }
    writeFileSync(join(dir, '.vite/preloads.json'), JSON.stringify(pages));
  },
});
