import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { readPages } from './preloads.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** The media types of what a build contains. A file of another type is served as bytes, which no browser runs. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The endings of the copies that the build compresses, in the order of preference. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof ENCODINGS;
export const ENCODING_NAMES: readonly Encoding[] = ['br', 'gzip'];

interface Copy {
  path: string;
  bytes: number;
}

export interface DashboardFile {
  type: string;
  etag: string;
  /** Its name holds a hash of its content, so that it never changes. */
  isImmutable: boolean;
  plain: Copy;
  copies: Partial<Record<Encoding, Copy>>;
}

/** A built dashboard. */
export interface Dashboard {
  /**
   * `index.html` for the path of a page and its open tab, with the files that these load after the entry; cut where
   * each answer has a nonce of its own.
   */
  pageAt(path: string, tab?: string): readonly string[];
  /** By the path of the URL. Nothing else is ever read, so no path can lead out of the folder. */
  files: ReadonlyMap<string, DashboardFile>;
}

/** The files of a build, named and measured once. Throws an Error that says what is wrong with the folder. */
export function readDashboard(folder: string): Dashboard {
  let page: string;
  try {
    page = readFileSync(join(folder, 'index.html'), 'utf8');
  } catch (cause) {
    throw new Error(`POSTHORN_DASHBOARD_FILES names ${folder}, where no dashboard was built (no index.html).`, {
      cause,
    });
  }
  const all = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path): [string, string] => [`/${relative(folder, path).replaceAll('\\', '/')}`, path])
      // Names that begin with a dot are of the build itself: the manifest of Vite, which names the sources.
      .filter(([url]) => !url.includes('/.'))
      .map(([url, path]) => [url, { path, bytes: statSync(path).size }]),
  );
  const endings: readonly string[] = Object.values(ENCODINGS);
  const files = [...all]
    .filter(([url]) => url !== '/index.html' && !endings.includes(extname(url)))
    .map(([url, plain]): [string, DashboardFile] => [
      url,
      {
        type: ownEntry(TYPES, extname(url)) ?? 'application/octet-stream',
        etag: `W/"${url.slice(1)}-${plain.bytes}-${Math.floor(statSync(plain.path).mtimeMs)}"`,
        isImmutable: url.startsWith('/assets/'),
        plain,
        copies: Object.fromEntries(
          ENCODING_NAMES.flatMap((name) => {
            const copy = all.get(`${url}${ENCODINGS[name]}`);
            return copy === undefined ? [] : [[name, copy]];
          }),
        ),
      },
    ]);
  return { pageAt: readPages(folder, page), files: new Map(files) };
}
