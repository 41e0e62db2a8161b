import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that a page loads after `index.html`, as the build names them (`dashboard/preloads.config.ts`). */
interface PageFiles {
  /** As the router has it: `/emails/$id`. */
  path: string;
  /** The navigation is around it. */
  hasFrame: boolean;
  /** Scripts that take longest. A build of an earlier version has none. */
  large?: string[];
  files: string[];
  /** The files of a tab, by its name in the address. */
  tabs?: Record<string, string[]>;
}

const NONCE_PLACE = '__NONCE__';

/**
 * `index.html` for each path, and for the tab that it opens with. Without the links a browser learns of the files of a
 * page when the entry has run: on a phone that is a second of waiting for files that could have been on their way.
 */
export function readPages(folder: string, index: string): (path: string, tab?: string) => readonly string[] {
  const plain = index.split(NONCE_PLACE);
  const pages = readPageFiles(folder).map(({ path, hasFrame, large = [], files, tabs = {} }) => {
    const withFiles = (ofTab: string[]): readonly string[] =>
      index
        .replace('</head>', () => `${[...large.map(linkToLarge), ...[...files, ...ofTab].map(linkTo)].join('')}</head>`)
        .replace('<body>', hasFrame ? '<body>' : '<body class="outside">')
        .split(NONCE_PLACE);
    const ofTabs = new Map(Object.entries(tabs).map(([tab, ofTab]) => [tab, withFiles(ofTab)]));
    return { pattern: patternOf(path), parts: withFiles([]), ofTabs };
  });
  return (path, tab = '') => {
    const page = pages.find(({ pattern }) => pattern.test(path));
    return page?.ofTabs.get(tab) ?? page?.parts ?? plain;
  };
}

/** Paths without a parameter first: `/emails/new` is no email. */
function readPageFiles(folder: string): PageFiles[] {
  const file = join(folder, '.vite/preloads.json');
  if (!existsSync(file)) return [];
  const pages = JSON.parse(readFileSync(file, 'utf8')) as PageFiles[]; // our own build wrote it
  const parameters = ({ path }: PageFiles): number => path.split('$').length;
  return pages.toSorted((a, b) => parameters(a) - parameters(b));
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+').replace(/\/$/, '')}/?$`);

/** They begin first and travel side by side. */
const linkToLarge = (file: string): string =>
  `<link rel="modulepreload" fetchpriority="high" crossorigin href="${file}">`;

/**
 * A style is asked for early, and its page applies it. Linked as a style, it would hold back the frame. These let the
 * answers of the API pass, which the entry asks for.
 */
const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" fetchpriority="low" crossorigin href="${file}">`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">`;
