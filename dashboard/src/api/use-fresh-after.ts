import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { operationOf } from './operation-of.ts';

/**
 * Makes records stale that work in the background has changed: answers from before its end show the old state. `ended`
 * is undefined while it runs, and another text after each end.
 */
export function useFreshAfter(ended: string | undefined, operations: readonly string[]): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (ended === undefined) return;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => operations.includes(operationOf(queryKey) ?? '') });
  }, [queries, ended, operations]);
}
