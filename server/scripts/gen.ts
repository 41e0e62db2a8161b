// Writes what is generated from the code: the table of settings in the operations manual, and openapi.json.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SETTINGS_DOCUMENT, withSettingsTable } from '../checks/settings-docs.ts';

const server = dirname(import.meta.dirname);
const tree = { root: dirname(server), server };

const operations = join(tree.root, SETTINGS_DOCUMENT);
if (existsSync(operations)) {
  writeFileSync(operations, await withSettingsTable(tree, readFileSync(operations, 'utf8')));
  console.log(`${SETTINGS_DOCUMENT}: settings`);
}

const openapi = join(server, 'scripts/openapi.ts');
if (existsSync(openapi)) {
  process.exitCode = spawnSync(process.execPath, [openapi], { cwd: server, stdio: 'inherit' }).status ?? 1;
}
