import assert from 'node:assert/strict';

const PATIENCE_MS = 30_000;
/** Without a pause, the looks of one test take the processor that another works with. */
const LOOK_EVERY_MS = 10;

/**
 * The first result of `look` that is not undefined; fails with `what` when that takes more than half a minute. `what`
 * is a function where it tells what came in its place.
 */
export async function until<T>(what: string | (() => string), look: () => Promise<T | undefined>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - startedMs >= PATIENCE_MS)
      assert.fail(`${typeof what === 'string' ? what : what()} did not come`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
