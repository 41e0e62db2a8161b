// node scripts/run.mjs [--watch] <file below server/> [arguments]: the way every npm script starts. Installs what is
// missing, then runs the file under the project's own Node, in the project's root, with its signals and exit code.
// package.json says `exec node …`: npm signals only the shell that it starts, and that shell passes nothing on. Bash
// and BusyBox replace themselves without being told; dash, the sh of Debian, does not.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { buildDashboardIfNeeded, isToBeBuilt } from './dashboard.mjs';
import { serveSources } from './dashboard-sources.mjs';
import { giveUp, installIfNeeded, ROOT, SERVER } from './install.mjs';
import { ownNode } from './own-node.mjs';
import { runInOurPlace } from './processes.mjs';

const args = process.argv.slice(2);
const isWatched = args[0] === '--watch';
const nodeFlags = args[0] === '--watch' ? [args.shift(), '--watch-preserve-output'] : [];
const [file, ...rest] = args;
if (!file) giveUp('usage: node scripts/run.mjs [--watch] <file below server/> [arguments]', 2);

const isService = file === 'src/main/posthorn.ts';
const servesPages = isService && servesDashboard();
// The checks judge and build the dashboard too, its client is generated, and the tests try its code.
const triesDashboard =
  ['checks/run.ts', 'scripts/gen.ts', 'test/run.ts'].includes(file) || file.startsWith('../dashboard/');
await installIfNeeded({ withDashboard: triesDashboard || (servesPages && (isWatched || isToBeBuilt())) });
const script = join(SERVER, file);
if (!existsSync(script)) giveUp(`server/${file} does not exist.`, 2);
// Of the service alone. Node looks often at what is young, and the allocator keeps free memory for each thread: half
// of what an idle service takes. A process with one role is there for its speed. It looks every 32 MB: a message that
// waits for its connection would else outlive two looks, and be found dead only by the slow search of all memory (0.33
// s of processor time for 1,000 emails in place of 0.23, November 2026). --expose-gc: main/collect-when-quiet.ts.
const memory = JSON.parse(readFileSync(join(ROOT, 'scripts', 'node-memory.json'), 'utf8'));
const isOneProcess = isService && !rest.some((argument) => argument.startsWith('--role'));
if (isService) nodeFlags.push(...(isOneProcess ? memory.flagsOfOneProcess : memory.flagsOfRole));
const node = ownNode();
// Tools that the script starts by name (tsc, biome, node) are the project's as well.
const path = [dirname(node), join(SERVER, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
// The compiled code of an earlier run: a start costs a third less processor time. Node replaces what has changed.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(ROOT, '.cache', 'compiled');
const dashboard = servesPages ? await settingsOfDashboard() : { env: {} };
process.exitCode = await runInOurPlace(node, [...nodeFlags, script, ...rest], {
  cwd: ROOT,
  // The dashboard's last: a setting that is there and empty counts as unset.
  env: { ...(isService ? memory.env : {}), ...process.env, ...dashboard.env, PATH: path, NODE_COMPILE_CACHE: compiled },
});
dashboard.stop?.();

/** Not for a worker, and not for commands, which run beside a Posthorn that serves. `--help` installs everything. */
function servesDashboard() {
  const roles = rest.flatMap((word, at) =>
    word === '--role' ? [rest[at + 1]] : (/^--role=(.+)/.exec(word) ?? []).slice(1),
  );
  const isCommand = rest.some((word) => ['doctor', 'admin', '--version', '-v'].includes(word));
  return !isCommand && (roles.length === 0 || roles.includes('api')) && !isSet('POSTHORN_DASHBOARD_FILES');
}

/** While somebody works on it, the dashboard is served from its sources, by a server of its own. */
async function settingsOfDashboard() {
  if (isWatched) return serveSources(node);
  const folder = await buildDashboardIfNeeded();
  return { env: folder === undefined ? {} : { POSTHORN_DASHBOARD_FILES: folder } };
}

function isSet(name) {
  const file = join(ROOT, '.env');
  if (process.env[name]) return true;
  return existsSync(file) && new RegExp(`^\\s*(export\\s+)?${name}\\s*=\\s*\\S`, 'm').test(readFileSync(file, 'utf8'));
}
