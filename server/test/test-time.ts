/**
 * Keeps the tests fast: after each run the 20 slowest are printed, and a whole run fails when all of them together take
 * longer than their budget. Slow tests cost every later day.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { OutsideError, Timing } from './timings-reporter.ts';

/**
 * Seconds that all test files of a whole run may take together, hooks included, on the machine of bench/results.md. In
 * November 2026 they took about 870 and 1,760 there. Four files run at once, so 870 s are 220 s of `npm test`, which
 * should stay below 240.
 *
 * The budgets are larger than that needs. The sample below sees a slower processor, and not that waking a process is
 * dear: on a virtual machine whose sample was 1.09 times slower, a bare HTTP route had a seventh of its requests, and
 * the same tests took 1,551 s. On 28 November 2026 they took 1,942 to 2,423 s on machines with a factor of 1. The
 * proofs, three files at once, took 2,948 s on a machine with a factor of 1.59, and 4,110 s on one with 1.04; with five
 * more files and another program on both cores for eight minutes 7,104 s at 1.37. Raise one only with a reason in the
 * commit.
 */
const BUDGET_SECONDS = { test: 3_000, prove: 6_500 };
const SHOWN = 20;

/** One piece of work, and what it takes on the machine of bench/results.md while tests run on both cores. */
const SAMPLE = Buffer.alloc(4 * 1024 * 1024, 7);
const SAMPLE_MS = 4.5;
const SAMPLE_EVERY_MS = 3_000;

/**
 * Measures how much slower this machine is than the one the budget was measured on, other work on it included: the
 * median of a small piece of work, done again and again while the tests run. At least 1.
 */
export function sampleSlowness(): { stop(): number } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const begun = performance.now();
    createHash('sha256').update(SAMPLE).digest();
    samples.push(performance.now() - begun);
  }, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      samples.sort((a, b) => a - b);
      const medianMs = samples[Math.floor(samples.length / 2)] ?? SAMPLE_MS;
      console.log(`A sample of work took ${medianMs.toFixed(1)} ms (median of ${samples.length}).`);
      return Math.max(1, medianMs / SAMPLE_MS);
    },
  };
}

export interface TimeVerdict {
  report: string;
  isOverBudget: boolean;
}

/** Reads what the reporter wrote. `kind` undefined: only some tests ran, and there is no budget for them. */
export function judgeTime(
  path: string,
  { slowness, kind }: { slowness: number; kind: keyof typeof BUDGET_SECONDS | undefined },
): TimeVerdict {
  if (!existsSync(path)) return { report: '', isOverBudget: false };
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // The reporter of this repository wrote these lines.
  const told = lines.map((line) => JSON.parse(line) as Timing | OutsideError);
  const { report, isOverBudget } = judgeTimings(
    told.filter((one) => 'ms' in one),
    { slowness, kind },
  );
  const outside = told.filter((one) => 'outside' in one).map((one) => one.outside);
  return { report: [...tellOutside(outside), report].join('\n'), isOverBudget };
}

/** Last in the output, because a file that fails by such an error names no test. */
export function tellOutside(errors: readonly string[]): string[] {
  const different = [...new Set(errors)].slice(0, SHOWN);
  if (different.length === 0) return [];
  return ['Errors that no test was running for fail their file:', ...different];
}

export function judgeTimings(
  timings: readonly Timing[],
  { slowness, kind }: { slowness: number; kind: keyof typeof BUDGET_SECONDS | undefined },
): TimeVerdict {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  const sumMs = timings.filter(({ nesting }) => nesting === 0).reduce((sum, { ms }) => sum + ms, 0);
  const slowest = timings
    .filter(({ nesting }) => nesting === 1)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ ms, name, file }) => `${seconds(ms).padStart(7)} s  ${name}  (${file.replace(/^.*\/server\//, '')})`);
  const lines = [`The slowest ${slowest.length} tests:`, ...slowest, `All test files together: ${seconds(sumMs)} s.`];
  if (kind === undefined) return { report: lines.join('\n'), isOverBudget: false };
  const budgetMs = BUDGET_SECONDS[kind] * 1_000 * slowness;
  const isOverBudget = sumMs > budgetMs;
  lines.push(
    `The budget is ${BUDGET_SECONDS[kind]} s; this machine was ${slowness.toFixed(2)} times slower, so ${seconds(budgetMs)} s.`,
  );
  if (isOverBudget)
    lines.push('The tests take longer than their budget. Make them faster, or move a long proof to `npm run prove`.');
  return { report: lines.join('\n'), isOverBudget };
}
