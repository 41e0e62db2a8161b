import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { runTool } from './external-tools.ts';

const GENERATOR = 'scripts/openapi.ts';

/** openapi.json is what the routes say now. The generator compares when it is asked to. */
export const openapiFresh: Check = {
  name: 'openapi',
  async run({ server }) {
    if (!existsSync(join(server, GENERATOR))) return [];
    const { ok, output } = await runTool({ name: 'openapi', command: ['node', GENERATOR, '--check'] }, server);
    return ok ? [] : [output.trim() || 'openapi.json is stale; npm run gen'];
  },
};
