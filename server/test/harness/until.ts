import assert from 'node:assert/strict';

const PATIENCE_MS = 30_000;
/** Without a pause, the looks of one test take the processor that another works with. */
const LOOK_EVERY_MS = 10;

/** The first result of `look` that is not undefined; fails with `what` when that takes more than half a minute. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(performance.now() - startedMs < PATIENCE_MS, `${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
