// node scripts/run.mjs [--watch] <file below server/> [arguments]: the way every npm script starts. Installs what is
// missing, then runs the file under the project's own Node, in the project's root, with its signals and exit code.
// package.json says `exec node …`: npm signals only the shell that it starts, and that shell passes nothing on. Bash
// and BusyBox replace themselves without being told; dash, the sh of Debian, does not.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { giveUp, installIfNeeded, ROOT, SERVER } from './install.mjs';
import { ownNode } from './own-node.mjs';
import { runInOurPlace } from './processes.mjs';

const args = process.argv.slice(2);
const nodeFlags = args[0] === '--watch' ? [args.shift(), '--watch-preserve-output'] : [];
const [file, ...rest] = args;
if (!file) giveUp('usage: node scripts/run.mjs [--watch] <file below server/> [arguments]', 2);

await installIfNeeded();
const script = join(SERVER, file);
if (!existsSync(script)) giveUp(`server/${file} does not exist.`, 2);
// Of the service alone: Node lets what is young grow to 64 MB before it looks what of it is still needed, and the
// allocator keeps free memory for each thread: half of what an idle service takes. A worker by itself is there for its
// speed, and looking so often costs it a fifth (2,760 emails a second in place of 3,355 with 4 MB, November 2026).
const memory = JSON.parse(readFileSync(join(ROOT, 'scripts', 'node-memory.json'), 'utf8'));
const isService = file === 'src/main/posthorn.ts';
const isOneProcess = isService && !rest.some((argument) => argument.startsWith('--role'));
if (isOneProcess) nodeFlags.push(...memory.flagsOfOneProcess);
const node = ownNode();
// Tools that the script starts by name (tsc, biome, node) are the project's as well.
const path = [dirname(node), join(SERVER, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
// The compiled code of an earlier run: a start costs a third less processor time. Node replaces what has changed.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(ROOT, '.cache', 'compiled');
process.exitCode = await runInOurPlace(node, [...nodeFlags, script, ...rest], {
  cwd: ROOT,
  env: { ...(isService ? memory.env : {}), ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
});
