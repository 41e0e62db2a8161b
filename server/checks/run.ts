// `npm run check`: everything that judges the code without running it. One line per check; the output of those that
// fail comes after. `--only name[,name]` runs some of them.
import { dirname, join } from 'node:path';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Tree } from './check.ts';
import { EXTERNAL_TOOLS, runTool } from './external-tools.ts';
import { sizeSummary } from './file-rules.ts';
import { OWN_CHECKS } from './own-checks.ts';

interface Job {
  name: string;
  run(): Promise<{ ok: boolean; output: string }>;
}

const server = dirname(import.meta.dirname);
const tree: Tree = { root: dirname(server), server };

const jobs: Job[] = [
  ...EXTERNAL_TOOLS.map((tool) => ({
    name: tool.name,
    run: () => runTool(tool, join(tree.root, tool.of ?? 'server'), join(server, 'node_modules/.bin')),
  })),
  ...OWN_CHECKS.map((check) => ({
    name: check.name,
    run: async () => {
      const problems = await check.run(tree);
      return { ok: problems.length === 0, output: problems.join('\n') };
    },
  })),
];

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const wanted = values.only?.flatMap((names) => names.split(','));
const unknown = wanted?.filter((name) => jobs.every((job) => job.name !== name)) ?? [];
if (unknown.length > 0) {
  console.error(`No check is called ${unknown.join(', ')}. There are: ${jobs.map((job) => job.name).join(', ')}.`);
  process.exit(2);
}

const queue = jobs.filter((job) => wanted?.includes(job.name) ?? true);
const failed: { name: string; output: string }[] = [];

async function work(): Promise<void> {
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
    const { name, run } = job;
    const begun = performance.now();
    const { ok, output } = await run().catch((error: unknown) => ({ ok: false, output: String(error) }));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(14)} ${seconds} s`);
    if (!ok) failed.push({ name, output: output.trim() });
  }
}

const begun = performance.now();
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
for (const { name, output } of failed) console.log(`\n── ${name} ──\n${output}`);
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
const verdict =
  failed.length === 0 ? 'All checks pass' : `${failed.length} failed: ${failed.map(({ name }) => name).join(', ')}`;
console.log(`\n${verdict} (${seconds} s). ${sizeSummary(server)}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
