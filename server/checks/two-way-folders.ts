import { dirname, join, normalize, relative } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';
import { KNOWN_TWO_WAY_FOLDERS } from './known-two-way-folders.ts';

/**
 * Two folders of a feature that import each other are one folder in truth: the part that they share belongs into a
 * third. A folder and those above it are not judged: a feature's record stands above its folders, and its routes do.
 */
export const twoWayFolders: Check = {
  name: 'two-way',
  run: ({ server }) => judgeFolders(server, KNOWN_TWO_WAY_FOLDERS),
};

/** `known`: `outbox: bulk ↔ pause`, pairs that are still to go. */
export function judgeFolders(server: string, known: readonly string[]): string[] {
  const imports = importsBetweenFolders(join(server, 'src/features'));
  const pairs = [...imports.keys()]
    .map((key) => key.split(' ') as [string, string]) // as they were written below
    .filter(([from, to]) => from < to && imports.has(`${to} ${from}`))
    .map(([from, to]) => ({
      name: nameOf(from, to),
      files: [`${from} ${to}`, `${to} ${from}`].map((key) => imports.get(key)),
    }));
  return [
    ...pairs
      .filter(({ name }) => !known.includes(name))
      .map(({ name, files }) => `${name} import each other: ${files.join(' and ')}`),
    ...known
      .filter((name) => !pairs.some((pair) => pair.name === name))
      .map((name) => `server/checks/known-two-way-folders.ts lists "${name}", which is no more; take it out`),
  ];
}

/** `outbox: bulk ↔ pause`. */
function nameOf(from: string, to: string): string {
  const feature = from.split('/')[0] ?? '';
  return `${feature}: ${relative(feature, from)} ↔ ${relative(feature, to)}`;
}

/** The first file of one folder that imports another, by `folder folder`. */
function importsBetweenFolders(features: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of filesBelow(features)) {
    if (!file.endsWith('.ts') || isTestFile(file)) continue;
    const from = dirname(file);
    for (const [, path = ''] of readText(features, file).matchAll(/\bfrom '(\.[^']+)'/g)) {
      const to = dirname(normalize(join(from, path)));
      if (`${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)) continue;
      if (!found.has(`${from} ${to}`)) found.set(`${from} ${to}`, file);
    }
  }
  return found;
}
