import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';

/** `action: 'invite.revoked'`, and both of `action: isLeaving ? 'member.left' : 'member.removed'`. */
const ACTION_LINE = /\baction: .*/g;
const NAME = /'([a-z_]+\.[a-z_]+)'/g;

/** docs/audit.md names each action of the code that names its record, too: `noun.verb_in_past`. */
export const auditDocs: Check = {
  name: 'docs-audit',
  run({ root, server }) {
    if (!existsSync(join(root, 'docs/audit.md'))) return ['docs/audit.md is missing'];
    const document = readText(root, 'docs/audit.md');
    return filesBelow(join(server, 'src'), server)
      .filter((file) => file.endsWith('.ts') && !isTestFile(file))
      .flatMap((file) => {
        const lines = readText(server, file).match(ACTION_LINE) ?? [];
        const names = lines
          .filter((line) => !line.includes('examples:'))
          .flatMap((line) => [...line.matchAll(NAME)].map(([, name = '']) => name));
        return names
          .filter((name) => !document.includes(`\`${name}\``))
          .map((name) => `docs/audit.md does not name ${name} of server/${file}`);
      });
  },
};
