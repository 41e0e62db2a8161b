// Writes what is generated from the code: the table of settings in the operations manual, the example of a .env file,
// the state machines, openapi.json, and the client that the dashboard has of it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTool } from '../checks/external-tools.ts';
import { GENERATED } from '../checks/generated-docs.ts';
import { SETTINGS_DOCUMENT, withSettingsTable } from '../checks/settings-docs.ts';

const server = dirname(import.meta.dirname);
const tree = { root: dirname(server), server };

const operations = join(tree.root, SETTINGS_DOCUMENT);
if (existsSync(operations)) {
  writeFileSync(operations, await withSettingsTable(tree, readFileSync(operations, 'utf8')));
  console.log(`${SETTINGS_DOCUMENT}: settings`);
}

for (const { file, make } of GENERATED) {
  writeFileSync(join(tree.root, file), await make(server));
  console.log(file);
}

const openapi = join(server, 'scripts/openapi.ts');
if (existsSync(openapi)) {
  process.exitCode = spawnSync(process.execPath, [openapi], { cwd: server, stdio: 'inherit' }).status ?? 1;
}

const dashboard = join(tree.root, 'dashboard');
const client = await runTool({ name: 'client', command: ['openapi-ts'] }, dashboard);
if (!client.ok) throw new Error(`the client of the dashboard could not be generated:\n${client.output}`);
console.log('dashboard/src/api/generated is written.');
