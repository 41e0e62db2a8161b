import assert from 'node:assert/strict';

/**
 * That a comparison found exactly this; what is not named may be anything. `assert.partialDeepStrictEqual` will not do:
 * it is content when one list holds the other, so that an expected `lost: []` fits whatever was lost (Node 24).
 */
export function assertFound<Found extends object>(found: Found, expected: Partial<Found>): void {
  const named = Object.entries(found).filter(([name]) => Object.hasOwn(expected, name));
  assert.deepEqual(Object.fromEntries(named), { ...expected });
}
