import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listSubscribersOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Subscriber } from '../../../api/generated/types.gen.ts';
import { pageAfter } from '../../../api/use-list.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';

export const SUBSCRIBER_FILTERS = ['search', 'status', 'source', 'sort'] as const;

type Filters = { readonly [Name in (typeof SUBSCRIBER_FILTERS)[number]]?: string | undefined };

/** The filters of the address as the API takes them. Unknown words are refused by the server, in a sentence. */
export const subscribersQuery = ({ search, status, source, sort }: Filters) => ({
  search,
  source,
  status: status as Subscriber['status'] | undefined,
  sort: sort as 'created_at' | 'email' | undefined,
});

/** Asks for the first rows while the newsletter itself is still read: the list needs its id only. */
export function useEarlySubscribers(id: string, isWanted: boolean): void {
  const queries = useQueryClient();
  const [{ after, ...filters }] = useUrlState([...SUBSCRIBER_FILTERS, 'after']);
  useEffect(() => {
    if (!isWanted) return;
    const query = { ...pageAfter(after), ...subscribersQuery(filters) };
    void queries.prefetchQuery(listSubscribersOptions({ path: { id }, query }));
    // The list itself reads every other filter.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [queries, id, isWanted]);
}
