import { type TestContext, test } from 'node:test';

/** True in `npm run prove`. */
const isProof = process.env['POSTHORN_PROVE'] === '1';

/** How many cases a random test tries: POSTHORN_PROPERTY_RUNS, or few in `npm test` and many in `npm run prove`. */
export const propertyRuns = (runs: { test: number; prove: number }): number =>
  Number(process.env['POSTHORN_PROPERTY_RUNS'] ?? (isProof ? runs.prove : runs.test));

/** A long test beside short ones of the same file: `npm run prove` runs it, `npm test` does not. */
export const proof = (name: string, work: (t: TestContext) => Promise<void> | void): void => {
  if (isProof) void test(name, work);
};
