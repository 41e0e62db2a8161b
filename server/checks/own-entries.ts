import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';

/** A constant whose keys are any text, at the left margin. */
const TABLE = /^(?:export )?const (\w+): (?:Readonly<|Partial<)*Record<string, .*> = \{/gm;

/**
 * A table that is read as `TABLE[name]` has `constructor` and `toString` too, because every object does. A name that
 * somebody wrote finds them there.
 */
export const ownEntries: Check = {
  name: 'own-entries',
  run: ({ root }) =>
    ['server', 'dashboard'].flatMap((name) =>
      filesBelow(join(root, name, 'src'))
        .map((path) => `${name}/src/${path}`)
        .filter((file) => /\.tsx?$/.test(file) && !isTestFile(file) && !file.includes('/generated/'))
        .flatMap((file) => problemsOf(file, readText(root, file))),
    ),
};

const problemsOf = (file: string, text: string): string[] =>
  [...text.matchAll(TABLE)].flatMap(([, name = '']) =>
    new RegExp(String.raw`(?<![\w.])${name}\[`).test(text)
      ? [`${file}: ${name}[…] finds what every object has, such as constructor; use ownEntry(${name}, …) or a Map`]
      : [],
  );
