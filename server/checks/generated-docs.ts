import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check, Tree } from './check.ts';
import { readText } from './source-tree.ts';

interface Generated {
  /** From the project's root. */
  file: string;
  make(server: string): Promise<string>;
}

interface DocumentedSetting {
  env: string;
  shown: string;
  meaning: string;
  secret: boolean;
}

/** Small files that are wholly made from the code. */
export const GENERATED: readonly Generated[] = [
  { file: '.env.example', make: envExample },
  { file: 'docs/state-machines.md', make: stateMachines },
];

async function envExample(server: string): Promise<string> {
  const table = pathToFileURL(join(server, 'src/platform/config/settings-table.ts'));
  const { SETTINGS }: { SETTINGS: Record<string, DocumentedSetting> } = await import(table.href);
  const lines = Object.values(SETTINGS).map(({ env, shown, meaning }) => `# ${meaning} Default: ${shown}\n# ${env}=\n`);
  return `# Copy to .env and set what should differ. Made by \`npm run gen\` from the settings that the process reads.\n\n${lines.join('\n')}`;
}

async function stateMachines(server: string): Promise<string> {
  const table = pathToFileURL(join(server, 'src/features/outbox/email-status.ts'));
  const { EMAIL_MOVES }: { EMAIL_MOVES: Record<string, Record<string, string>> } = await import(table.href);
  const moves = Object.entries(EMAIL_MOVES).flatMap(([from, exits]) =>
    Object.entries(exits).map(([why, to]) => `  ${from} --> ${to}: ${why}`),
  );
  return `# States and their moves

Drawn by \`npm run gen\` from the tables that the code uses.

## An email

\`deferred\` is \`queued\` waiting for its next attempt; the API shows it as queued.

\`\`\`mermaid
stateDiagram-v2
  [*] --> queued: accepted
  [*] --> suppressed: address on the suppression list
${moves.join('\n')}
\`\`\`
`;
}

export const generatedDocs: Check = {
  name: 'docs-generated',
  async run({ root, server }: Tree) {
    const problems: string[] = [];
    for (const { file, make } of GENERATED) {
      const fresh = await make(server);
      if (!existsSync(join(root, file)) || readText(root, file) !== fresh)
        problems.push(`${file} is stale; npm run gen`);
    }
    return problems;
  },
};
