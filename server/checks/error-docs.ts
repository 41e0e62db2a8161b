import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { readText } from './source-tree.ts';

/** docs/errors.md has a heading or a row for every error name, and for nothing else that looks like one. */
export const errorDocs: Check = {
  name: 'docs-errors',
  run({ root, server }) {
    const document = join(root, 'docs/errors.md');
    if (!existsSync(document)) return ['docs/errors.md is missing'];
    const documented = new Set(
      [...readText(document).matchAll(/^(?:#+|\|)\s*`?([a-z]+(?:_[a-z]+)*_error)`?/gm)].map((match) => match[1]),
    );
    const table = readText(server, 'src/platform/errors/error-table.ts');
    const names = new Set([...table.matchAll(/^\s+([a-z_]+_error): \{/gm)].map((match) => match[1]));
    if (names.size === 0) return ['server/src/platform/errors/error-table.ts: no error name was found'];
    return [
      ...[...names].filter((name) => !documented.has(name)).map((name) => `docs/errors.md does not describe ${name}`),
      ...[...documented]
        .filter((name) => !names.has(name))
        .map((name) => `docs/errors.md describes ${name}, which does not exist`),
    ];
  },
};
