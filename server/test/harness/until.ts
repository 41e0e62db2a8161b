import assert from 'node:assert/strict';

const PATIENCE_MS = 30_000;
/** Without a pause, the looks of one test take the processor that another works with. */
const LOOK_EVERY_MS = 10;

/**
 * The first result of `look` that is not undefined; fails with `what` when that takes more than half a minute, or what
 * it is given. `what` is a function where it tells what came in its place.
 */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined>,
  /** For work of minutes, whose looks cost something. */
  { patienceMs = PATIENCE_MS, everyMs = LOOK_EVERY_MS }: { patienceMs?: number; everyMs?: number } = {},
): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - startedMs >= patienceMs)
      assert.fail(`${typeof what === 'string' ? what : what()} did not come`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
