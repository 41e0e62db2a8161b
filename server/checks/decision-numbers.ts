import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, readText } from './source-tree.ts';

/** A decision is cited by its number, so each number is given once, and the title begins with it. */
export const decisionNumbers: Check = {
  name: 'decisions',
  run({ root }) {
    const folder = join(root, 'docs/decisions');
    const files = filesBelow(folder);
    return files.flatMap((file, index) => {
      const number = file.slice(0, 4);
      const shown = `docs/decisions/${file}`;
      if (!/^\d{4}-[a-z0-9-]+\.md$/.test(file)) return [`${shown} is not called NNNN-title.md`];
      if (files[index - 1]?.startsWith(number))
        return [`${shown} has the number of docs/decisions/${files[index - 1]}`];
      return readText(folder, file).startsWith(`# ${number} `)
        ? []
        : [`${shown} begins without its number in the title`];
    });
  },
};
