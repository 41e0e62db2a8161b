/** A list as a page shows it: `api/use-list.ts` makes it, and `ui/list/ListPage.tsx` takes it as it is. */
export interface ListState<T> {
  /** Undefined until the first answer. */
  rows: readonly T[] | undefined;
  error: unknown;
  /** The rows of the previous filters are still shown. */
  isStale: boolean;
  /** Undefined where the API does not count: pages after the first, and lists that are cheap only without a count. */
  total: number | undefined;
  isEstimate: boolean;
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  onFirst: (() => void) | undefined;
  refetch: () => void;
}
