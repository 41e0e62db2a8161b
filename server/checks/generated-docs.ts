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
  { file: 'docs/doctor.md', make: doctorManual },
];

async function envExample(server: string): Promise<string> {
  const table = pathToFileURL(join(server, 'src/platform/config/settings-table.ts'));
  const { SETTINGS }: { SETTINGS: Record<string, DocumentedSetting> } = await import(table.href);
  const lines = Object.values(SETTINGS).map(({ env, shown, meaning }) => `# ${meaning} Default: ${shown}\n# ${env}=\n`);
  return `# Copy to .env and set what should differ. Made by \`npm run gen\` from the settings that the process reads.\n\n${lines.join('\n')}`;
}

interface StateMachine {
  title: string;
  /** From `server/`. */
  file: string;
  table: string;
  note: string;
  beginnings: readonly string[];
}

const STATE_MACHINES: readonly StateMachine[] = [
  {
    title: 'An email',
    file: 'src/features/outbox/email-status.ts',
    table: 'EMAIL_MOVES',
    note: '`deferred` is `queued` waiting for its next attempt; the API shows it as queued.',
    beginnings: [
      'queued: accepted',
      'pending: frozen as a recipient of a bulk send',
      'suppressed: address on the suppression list',
    ],
  },
  {
    title: 'A bulk send',
    file: 'src/features/outbox/bulk/bulk-send.ts',
    table: 'BULK_MOVES',
    note: 'What an issue is sent by. A pause is no state: nothing is released or claimed while it lasts.',
    beginnings: ['freezing: opened'],
  },
  {
    title: 'A subscriber',
    file: 'src/features/newsletters/subscribers/subscriber.ts',
    table: 'SUBSCRIBER_MOVES',
    note: 'Whoever is deleted, or never confirms until the days for that are over, is in no state any more.',
    beginnings: [
      'pending: signed up',
      'active: signed up where no confirmation is asked for, or imported with consent',
    ],
  },
  {
    title: 'An issue',
    file: 'src/features/newsletters/issues/issue.ts',
    table: 'ISSUE_MOVES',
    note: 'Emails that have left for the queue when an issue is cancelled are still delivered.',
    beginnings: ['draft: created', 'scheduled: created with a time'],
  },
];

async function stateMachines(server: string): Promise<string> {
  const drawn = await Promise.all(STATE_MACHINES.map((machine) => drawMachine(server, machine)));
  return `# States and their moves

Drawn by \`npm run gen\` from the tables that the code uses.

${drawn.join('\n')}`;
}

async function drawMachine(server: string, { title, file, table, note, beginnings }: StateMachine): Promise<string> {
  const tables: Record<string, Record<string, Record<string, string>>> = await import(
    pathToFileURL(join(server, file)).href
  );
  const moves = Object.entries(tables[table] ?? {}).flatMap(([from, exits]) =>
    Object.entries(exits).map(([why, to]) => `  ${from} --> ${to}: ${why}`),
  );
  return `## ${title}

${note}

\`\`\`mermaid
stateDiagram-v2
${[...beginnings.map((beginning) => `  [*] --> ${beginning}`), ...moves].join('\n')}
\`\`\`
`;
}

interface DocumentedCheck {
  id: string;
  looksAt: string;
  troubles: Record<string, { status: string; cause: string; fix: string }>;
}

async function doctorManual(server: string): Promise<string> {
  const catalogue = pathToFileURL(join(server, 'src/main/doctor/catalogue.ts'));
  const { CATALOGUE }: { CATALOGUE: Record<string, DocumentedCheck[]> } = await import(catalogue.href);
  const titles: Record<string, string> = { ses: 'Amazon SES', smtp: 'SMTP', capture: 'Capture' };
  const sections = Object.entries(CATALOGUE).map(
    ([provider, checks]) => `## ${titles[provider]}\n\n${checks.map(checkManual).join('\n')}`,
  );
  return `# The doctor

Made by \`npm run gen\` from what the doctor can find.

\`npm start -- doctor\`, or \`GET /v1/provider/check\` with full access in the workspace of the first start, looks at everything between an email and the news of what became of it, in this order. It changes and sends nothing. An error keeps mail or its events from arriving; the command then ends with the exit code 1. A warning is worth knowing. What cannot be looked at is skipped.

${sections.join('\n')}`;
}

function checkManual({ id, looksAt, troubles }: DocumentedCheck): string {
  const rows = Object.values(troubles).map(({ status, cause, fix }) => `| ${status} | ${cause} | ${fix} |\n`);
  const escaped = rows.join('').replaceAll('<', '&lt;');
  const table = rows.length === 0 ? '' : `| | cause | fix |\n|---|---|---|\n${escaped}`;
  return `### \`${id}\`\n\n${looksAt}\n\n${table}`;
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
