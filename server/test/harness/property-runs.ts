/** True in `npm run prove`. */
export const isProof = process.env['POSTHORN_PROVE'] === '1';

/** How many cases a random test tries: POSTHORN_PROPERTY_RUNS, or few in `npm test` and many in `npm run prove`. */
export const propertyRuns = (runs: { test: number; prove: number }): number =>
  Number(process.env['POSTHORN_PROPERTY_RUNS'] ?? (isProof ? runs.prove : runs.test));
