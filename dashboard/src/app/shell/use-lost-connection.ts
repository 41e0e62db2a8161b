import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { connection } from '../../lib/connection.ts';

/** A page that reads something once for each visit lets a person work on it: it stays as it is. */
const mayReadAgain = ({ state, observers }: Query): boolean =>
  state.data === undefined || observers.every(({ options }) => options.staleTime !== Number.POSITIVE_INFINITY);

/**
 * The time of the last answer; undefined while the server can be reached. When it is back, everything that the page
 * shows is read again. The browser's word about being online is a reason to ask, not an answer.
 */
export function useLostConnection(): number | undefined {
  const queries = useQueryClient();
  useEffect(() => {
    const ask = () => void connection.doubted();
    const unsubscribe = connection.subscribe(() => {
      if (connection.lostSince() === undefined) void queries.invalidateQueries({ predicate: mayReadAgain });
    });
    window.addEventListener('offline', ask);
    window.addEventListener('online', ask);
    return () => {
      unsubscribe();
      window.removeEventListener('offline', ask);
      window.removeEventListener('online', ask);
    };
  }, [queries]);
  return useSyncExternalStore(connection.subscribe, connection.lostSince);
}
