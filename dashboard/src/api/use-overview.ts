import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isFirstPage } from '../lib/use-second-turn.ts';
import { getOverviewOptions } from './generated/@tanstack/react-query.gen.ts';
import type { OverviewChanges } from './generated/types.gen.ts';
import { operationOf } from './operation-of.ts';

const LOOK_AGAIN_MS = 4000;

/**
 * For what other pages and programs change: it is read again for a person who comes back, however young it is. The
 * first page of a visit has just asked for it.
 */
export const freshOnReturn = () =>
  ({ refetchOnWindowFocus: 'always', refetchOnMount: isFirstPage() || 'always' }) as const;

/** The operations that a mark of `changes` makes stale. */
const STALE: Readonly<Record<keyof OverviewChanges, readonly string[]>> = {
  emails: ['listEmails', 'listCapturedEmails'],
  events: ['listEvents'],
  counts: ['getAnalytics', 'getAnalyticsHealth'],
};

/**
 * The state of sending, read every few seconds while the page is seen. Queries of the same facts run again when a
 * mark is another one than at the last look, however long ago that was: after a lost connection the page catches up.
 */
export function useOverview() {
  const overview = useQuery({
    ...getOverviewOptions(),
    retry: false,
    refetchInterval: LOOK_AGAIN_MS,
    ...freshOnReturn(),
  });
  const queries = useQueryClient();
  const seen = useRef<OverviewChanges>(undefined);
  const changes = overview.data?.changes;
  useEffect(() => {
    if (changes === undefined) return;
    const before = seen.current;
    seen.current = changes;
    if (before === undefined) return;
    const names = (['emails', 'events', 'counts'] as const).filter((mark) => before[mark] !== changes[mark]);
    const stale = new Set(names.flatMap((mark) => STALE[mark]));
    if (stale.size > 0)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => stale.has(operationOf(queryKey) ?? '') });
  }, [changes, queries]);
  return overview;
}
