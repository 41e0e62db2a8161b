import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { runTool } from './external-tools.ts';
import { brokenOpenApiRules, type ReadDocument } from './openapi-rules.ts';

const GENERATOR = 'scripts/openapi.ts';

/** openapi.json says what the routes say now, and names and shows everything. The generator compares when asked to. */
export const openapiFresh: Check = {
  name: 'openapi',
  async run({ server }) {
    if (!existsSync(join(server, GENERATOR))) return [];
    const { ok, output } = await runTool({ name: 'openapi', command: ['node', GENERATOR, '--check'] }, server);
    if (!ok) return [output.trim() || 'openapi.json is stale; npm run gen'];
    // The generator has just compared it with the routes.
    return brokenOpenApiRules(JSON.parse(readFileSync(join(server, 'openapi.json'), 'utf8')) as ReadDocument);
  },
};
