import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';

const FILE = path.join(import.meta.dirname, 'results.md');
const HEAD = `# What was measured

Each line is printed and appended by \`npm run bench -- NAME\`; ratios are to the yardstick of the same run, on the same machine.

| date | bench | result | target | machine |
|---|---|---|---|---|
`;

// Of others: taken before the bench itself has begun.
const load = (loadavg()[0] ?? 0).toFixed(1);

/** Prints a figure and keeps it in server/bench/results.md. */
export function report(bench: string, result: string, target: string): void {
  console.log(`${bench}: ${result} (target: ${target})`);
  if (!existsSync(FILE)) writeFileSync(FILE, HEAD);
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}, load ${load} before`;
  appendFileSync(
    FILE,
    `| ${new Date().toISOString().slice(0, 10)} | ${bench} | ${result} | ${target} | ${machine} |\n`,
  );
}
