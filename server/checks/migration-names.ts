import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow } from './source-tree.ts';

/** Migrations run in the order of their names, so two with one number are two people who did not know of each other. */
export const migrationNames: Check = {
  name: 'migrations',
  run({ server }) {
    const files = filesBelow(join(server, 'migrations'));
    return files.flatMap((file, index) => {
      if (!/^\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/.test(file)) {
        return [`server/migrations/${file} is not called NNNN_what_it_does.sql`];
      }
      const expected = String(index + 1).padStart(4, '0');
      return file.startsWith(expected) ? [] : [`server/migrations/${file} should have the number ${expected}`];
    });
  },
};
