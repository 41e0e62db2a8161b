import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from './check.ts';
import { isTestFile, readText } from './source-tree.ts';

interface Row {
  id: string;
  file: string;
  title: string;
}

/** The tables of moves whose every move has a row: `<noun>.<from>.<to>`. */
const MACHINES: readonly (readonly [noun: string, file: string, table: string])[] = [
  ['subscriber', 'src/features/newsletters/subscribers/subscriber.ts', 'SUBSCRIBER_MOVES'],
  ['issue', 'src/features/newsletters/issues/issue.ts', 'ISSUE_MOVES'],
  ['broadcast', 'src/features/broadcasts/broadcast.ts', 'BROADCAST_MOVES'],
  ['scheduled', 'src/features/scheduled-emails/scheduled-email.ts', 'SCHEDULED_MOVES'],
];

const rowsOf = (document: string): Row[] =>
  [...document.matchAll(/^\| `([a-z0-9_.-]+)` \| [^|]+ \| `([^`]+)`: (.+) \|$/gm)].map(
    ([, id = '', file = '', title = '']) => ({ id, file, title }),
  );

/** The ids that the code asks for: its errors, its events, and the moves of its records. */
async function wantedIds(server: string): Promise<string[]> {
  const load = (file: string) => import(pathToFileURL(join(server, file)).href);
  const errors = [...readText(server, 'src/platform/errors/error-table.ts').matchAll(/^\s+([a-z_]+_error): \{/gm)];
  const { EVENT_TYPES }: { EVENT_TYPES: readonly string[] } = await load('src/features/webhooks/catalogue.ts');
  const moves = await Promise.all(
    MACHINES.map(async ([noun, file, table]) => {
      const tables: Record<string, Record<string, Record<string, string>>> = await load(file);
      return Object.entries(tables[table] ?? {}).flatMap(([from, exits]) =>
        Object.values(exits).map((to) => `${noun}.${from}.${to}`),
      );
    }),
  );
  return [
    ...errors.map(([, name]) => `error.${name}`),
    ...EVENT_TYPES.map((type) => `event.${type}`),
    ...new Set(moves.flat()),
  ];
}

/** A title as it stands in a test, in quotes of any kind. */
function hasTitle(text: string, title: string): boolean {
  const escaped = title.replaceAll("'", "\\'");
  return [`'${title}'`, `'${escaped}'`, `"${title}"`, `\`${title}\``].some((quoted) => text.includes(quoted));
}

function problemOf(server: string, { id, file, title }: Row): string[] {
  const where = `docs/guarantees.md: ${id}`;
  if (!isTestFile(file)) return [`${where} names ${file}, which is no test`];
  if (!existsSync(join(server, file))) return [`${where} names ${file}, which does not exist`];
  return hasTitle(readText(server, file), title) ? [] : [`${where} names a test that ${file} does not have: ${title}`];
}

/** docs/guarantees.md has a row for each error, event and move of the code, and each row names a test that exists. */
export const guarantees: Check = {
  name: 'docs-guarantees',
  async run({ root, server }) {
    if (!existsSync(join(root, 'docs/guarantees.md'))) return ['docs/guarantees.md is missing'];
    const document = readText(root, 'docs/guarantees.md');
    const rows = rowsOf(document);
    const ids = rows.map(({ id }) => id);
    const lines = document.split('\n').filter((line) => line.startsWith('| `')).length;
    return [
      ...(lines === rows.length ? [] : [`docs/guarantees.md: ${lines - rows.length} rows cannot be read`]),
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `docs/guarantees.md has ${id} twice`),
      ...(await wantedIds(server))
        .filter((id) => !ids.includes(id))
        .map((id) => `docs/guarantees.md has no row for ${id}`),
      ...rows.flatMap((row) => problemOf(server, row)),
    ];
  },
};
