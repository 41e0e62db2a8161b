/** The ends of the classes by which delays of deliveries are counted, in seconds: those of `ph_delay_class`. */
const ENDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400,
] as const;

export const DELAY_CLASSES = ENDS.length + 1;
/** Of the last class, which has no end. */
const LAST_END = 172_800;

/**
 * The median of delays of which only the class is known (1, 2, …), in seconds: within its class the deliveries are
 * taken to be evenly spread. Null: there are none.
 */
export function medianOfClasses(counts: ReadonlyMap<number, number>): number | null {
  // A fact that was taken back in another period can leave less than nothing in this one.
  const classes = [...counts].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  const half = classes.reduce((sum, [, count]) => sum + count, 0) / 2;
  let before = 0;
  for (const [number, count] of classes) {
    if (before + count >= half) {
      const [from, to] = [ENDS[number - 2] ?? 0, ENDS[number - 1] ?? LAST_END];
      return Math.round((from + ((to - from) * (half - before)) / count) * 10) / 10;
    }
    before += count;
  }
  return null;
}
