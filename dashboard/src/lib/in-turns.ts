/** The API changes one record at a time, and a page has at most 50. */
const AT_ONCE = 5;

/** Acts on every item, five at a time. Stops at the first failure; what is done by then stays done. */
export async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await act(item).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
