// npm run bench -- name [arguments]: one of server/bench/*.bench.ts; without a name, the list of them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { giveUp, SERVER } from './install.mjs';

const folder = join(SERVER, 'bench');
const names = existsSync(folder)
  ? readdirSync(folder).flatMap((file) => file.match(/^(.+)\.bench\.ts$/)?.slice(1) ?? [])
  : [];
const [name, ...rest] = process.argv.slice(2);
if (!name || !names.includes(name)) {
  giveUp(`${name ? `no bench is called ${name}` : 'which bench?'} There are: ${names.join(', ') || 'none yet'}.`, 2);
}
process.argv.splice(2, Infinity, `bench/${name}.bench.ts`, ...rest);
await import('./run.mjs');
