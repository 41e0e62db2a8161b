import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
const FRAME = 'src/app/shell/Shell.tsx';
const START = 'src/start.tsx';
/** A script that takes longer than the rest: the browser begins with it. */
const LARGE_BYTES = 50_000;

/**
 * Writes `.vite/preloads.json`: for each path of a page whether it has the frame, and the scripts and styles that it
 * loads after the entry, the large ones apart. The server names them in the head of the page, so that a browser asks
 * for them at once, and not after the entry has run.
 */
export const preloads = (): Plugin => ({
  name: 'posthorn-preloads',
  apply: 'build',
  writeBundle({ dir = '' }) {
    // Vite writes it.
    const manifest = JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
    const filesOf = (...names: string[]): Set<string> => {
      const chunks = new Set(names);
      for (const name of chunks) for (const imported of manifest[name]?.imports ?? []) chunks.add(imported);
      return new Set([...chunks].flatMap((name) => [manifest[name]?.file ?? [], manifest[name]?.css ?? []].flat()));
    };
    const entry = filesOf(...Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true));
    const map = readFileSync(new URL('src/app/routes.tsx', import.meta.url), 'utf8');
    const isLarge = (file: string): boolean => statSync(join(dir, file)).size >= LARGE_BYTES;
    const pages = [...map.matchAll(PAGE)].map(([, kind, path, file]) => {
      const names = kind === 'page' ? [START, `src/${file}`, FRAME] : [START, `src/${file}`];
      const files = [...filesOf(...names)].filter((one) => !entry.has(one)).map((one) => `/${one}`);
      return {
        path,
        hasFrame: kind === 'page',
        large: files.filter((one) => isLarge(one)),
        files: files.filter((one) => !isLarge(one)),
      };
    });
    if (pages.length < 10 || pages.some(({ large }) => large.length === 0)) {
      throw new Error('the pages in src/app/routes.tsx were not found; preloads.config.ts reads them');
    }
    writeFileSync(join(dir, '.vite/preloads.json'), JSON.stringify(pages));
  },
});
