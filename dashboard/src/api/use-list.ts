import { keepPreviousData, type QueryFunction, type QueryKey, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ListState } from '../lib/list-state.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { lookOn } from './look-on.ts';

interface Page<T> {
  data: readonly T[];
  has_more: boolean;
  next_cursor: string | null;
  total?: number;
  total_is_estimate?: boolean;
}

const ROWS_PER_PAGE = 50;

interface PageQuery {
  cursor?: string;
  limit?: string;
}

/** The page that begins behind `after`, or the first. */
export const pageAfter = (after: string | undefined): PageQuery => ({
  limit: String(ROWS_PER_PAGE),
  ...(after === undefined ? {} : { cursor: after }),
});

/** Without the type of errors: the generator names the envelope, and ours are `ApiError` (client-config.ts). */
interface PageOptions<P, K extends QueryKey> {
  queryKey: K;
  queryFn?: QueryFunction<P, K> | symbol;
}

/**
 * A list that is read page by page with the cursor of the API, however long it is. The cursor is in the address
 * (`?after=`), so that a link, a reload and "back" show the same page. The way back is in the entry of the history.
 *
 * `options` makes the query from the cursor: `(page) => listSuppressionsOptions({ query: { ...page, search } })`.
 */
export function useList<P extends Page<unknown>, K extends QueryKey>(
  options: (page: PageQuery) => PageOptions<P, K>,
  how: { pollMs?: number | (() => number) } = {},
): ListState<P['data'][number]> {
  const [{ after }, setUrl] = useUrlState(['after']);
  const navigate = useNavigate();
  const before = useLocation({ select: ({ state }) => (state as { before?: string[] }).before ?? [] });
  const query = useQuery<P, Error, P, K>({
    queryKey: options(pageAfter(after)).queryKey,
    queryFn: (context) =>
      lookOn(async (cursor) => {
        const { queryKey, queryFn } = options(pageAfter(cursor));
        if (typeof queryFn !== 'function') throw new TypeError('a list has a call that reads it');
        return queryFn({ ...context, queryKey });
      }, after),
    placeholderData: keepPreviousData,
    // New records appear on the first page only.
    ...(how.pollMs !== undefined && after === undefined ? { refetchInterval: how.pollMs } : {}),
  });
  const page = query.data;
  const cursor = page?.next_cursor ?? undefined;

  const go = (to: string | undefined, way: string[]) =>
    navigate({
      to: '.',
      search: ((search: Record<string, string>) => {
        const { after: _left, ...rest } = search;
        return to === undefined ? rest : { ...rest, after: to };
      }) as never, // as in useUrlState
      state: { before: way } as never, // the router's type of a state knows no page
    });

  return {
    rows: page?.data,
    error: query.error,
    isStale: query.isPlaceholderData,
    total: page?.total,
    isEstimate: page?.total_is_estimate ?? false,
    onNext: page?.has_more && cursor !== undefined ? () => void go(cursor, [...before, after ?? '']) : undefined,
    onPrevious:
      after !== undefined && before.length > 0
        ? () => void go(before.at(-1) === '' ? undefined : before.at(-1), before.slice(0, -1))
        : undefined,
    onFirst: after === undefined ? undefined : () => setUrl({ after: undefined }, { push: true }),
    refetch: () => void query.refetch(),
  };
}
