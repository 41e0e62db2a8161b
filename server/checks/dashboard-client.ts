import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './check.ts';
import { runTool } from './external-tools.ts';
import { filesBelow, readText } from './source-tree.ts';

const GENERATED = 'dashboard/src/api/generated';
const CONFIG = 'dashboard/openapi-ts.config.ts';

/**
 * The client of the dashboard is what the generator makes of `openapi.json`. It takes some seconds, so the inputs and
 * outputs that were found equal are remembered by their hash.
 */
export const dashboardClient: Check = {
  name: 'dashboard-client',
  async run({ root }) {
    if (!existsSync(join(root, CONFIG))) return [];
    const remembered = join(root, '.cache/dashboard-client');
    const now = hashOf(root);
    if (existsSync(remembered) && readFileSync(remembered, 'utf8') === now) return [];
    const problems = await compare(root);
    if (problems.length === 0) {
      mkdirSync(dirname(remembered), { recursive: true });
      writeFileSync(remembered, now);
    }
    return problems;
  },
};

function hashOf(root: string): string {
  const hash = createHash('sha256');
  const files = filesBelow(join(root, GENERATED)).map((file) => `${GENERATED}/${file}`);
  for (const file of ['server/openapi.json', 'dashboard/package-lock.json', CONFIG, ...files])
    hash.update(`${file}\0`).update(readText(root, file)).update('\0');
  return hash.digest('hex');
}

/** Generates beside the repository, in a copy of what the generator reads. */
async function compare(root: string): Promise<string[]> {
  const copy = mkdtempSync(join(root, '.cache', 'client-'));
  try {
    mkdirSync(join(copy, 'dashboard/src'), { recursive: true });
    mkdirSync(join(copy, 'server'));
    cpSync(join(root, 'server/openapi.json'), join(copy, 'server/openapi.json'));
    for (const file of ['package.json', 'tsconfig.json', 'openapi-ts.config.ts'])
      cpSync(join(root, 'dashboard', file), join(copy, 'dashboard', file));
    cpSync(join(root, 'dashboard/src/api'), join(copy, 'dashboard/src/api'), { recursive: true });
    rmSync(join(copy, GENERATED), { recursive: true });
    symlinkSync(join(root, 'dashboard/node_modules'), join(copy, 'dashboard/node_modules'));
    const { ok, output } = await runTool({ name: 'client', command: ['openapi-ts'] }, join(copy, 'dashboard'));
    if (!ok) return [`the client could not be generated: ${output}`];
    const files = new Set([...filesBelow(join(copy, GENERATED)), ...filesBelow(join(root, GENERATED))]);
    return [...files]
      .filter((file) => contentOf(copy, file) !== contentOf(root, file))
      .map((file) => `${GENERATED}/${file} is not what openapi.json gives: run npm run gen`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const contentOf = (root: string, file: string): string | undefined =>
  existsSync(join(root, GENERATED, file)) ? readText(root, GENERATED, file) : undefined;
