import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';

const HOME = 'src/platform/lasting-files.ts';

/** Files of src that write files which need not survive a power cut, with the functions and the reason. */
const WRITERS: readonly [file: string, functions: readonly string[], why: string][] = [
  [
    'src/platform/postgres/owner-lock.ts',
    ['linkSync', 'renameSync', 'writeFileSync'],
    'a power cut ends the owner of the lock, and a torn lock is taken over',
  ],
  ['src/platform/postgres/postmaster.ts', ['openSync', 'renameSync'], 'the log of the server'],
  ['src/platform/postgres/socket-dir.ts', ['mkdirSync'], 'the folder of a socket, made again by each start'],
  ['src/platform/postgres/binaries.ts', ['symlinkSync'], 'links that each start makes when they are missing'],
  ['src/platform/postgres/placement.ts', ['cpSync'], 'a copy that syncTree brings to the disk'],
];

const WRITES =
  /^(appendFile|copyFile|cp|createWriteStream|ftruncate|link|mkdir|mkdtemp\w*|open|rename|symlink|truncate|write|writev|writeFile)(Sync)?$/;
const FS_NAME = /(["'`])(?:node:)?fs(?:\/promises)?\1/g;
const NAMED_IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+(["'])(?:node:)?fs(?:\/promises)?\2/g;

/** A file written in another way may have 0 bytes after a power cut, long after its content was shown to somebody. */
export const lastingFiles: Check = {
  name: 'lasting-files',
  run: ({ server }) =>
    filesBelow(join(server, 'src'))
      .map((path) => `src/${path}`)
      .filter((file) => file.endsWith('.ts') && !isTestFile(file) && file !== HOME)
      .flatMap((file) => problemsOf(file, readText(server, file))),
};

function problemsOf(file: string, text: string): string[] {
  const imports = [...text.matchAll(NAMED_IMPORT)];
  const unread = [...text.matchAll(FS_NAME)].length - imports.length;
  const allowed = WRITERS.find(([writer]) => writer === file)?.[1] ?? [];
  const names = imports.flatMap(([, list = '']) =>
    list
      .split(',')
      .map((entry) => entry.trim().split(/\s+as\s+/, 1)[0] ?? '')
      .filter((name) => WRITES.test(name) && !allowed.includes(name)),
  );
  return [
    ...(unread > 0 ? [`server/${file}: import functions of node:fs by name, so that this check can read them`] : []),
    ...names.map((name) => `server/${file}: ${name} does not survive a power cut; use server/${HOME}`),
  ];
}
