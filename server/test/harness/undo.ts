import type { TestContext } from 'node:test';

const undone = new WeakMap<TestContext, (() => unknown)[]>();

/**
 * Undoes something after the test, in the opposite order of doing; `t.after` runs its hooks first come, first served.
 */
export function undoAfter(t: TestContext, undo: () => unknown): void {
  const list = undone.get(t);
  if (list) {
    list.push(undo);
    return;
  }
  const mine = [undo];
  undone.set(t, mine);
  t.after(async () => {
    const errors: unknown[] = [];
    for (const step of mine.toReversed()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.join('; '));
  });
}
