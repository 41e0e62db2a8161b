import { queryOptions } from '@tanstack/react-query';
import { listLists, listSegments } from './generated/sdk.gen.ts';
import type { ContactList, Segment } from './generated/types.gen.ts';

interface Page<T> {
  data: readonly T[];
  next_cursor: string | null;
}

type PageQuery = { limit: string; cursor?: string };

/** The API gives 100 of them at a time. */
async function readAll<T>(read: (query: PageQuery) => Promise<{ data: Page<T> }>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await read({ limit: '100', ...(cursor === undefined ? {} : { cursor }) });
    all.push(...data.data);
    cursor = data.next_cursor;
  }
  return all;
}

/** Every list of contacts of the workspace, for a field in which some are chosen. */
export const allLists = queryOptions({
  queryKey: [{ _id: 'listLists', all: true }],
  queryFn: ({ signal }) => readAll<ContactList>((query) => listLists({ query, signal, throwOnError: true })),
});

/** Every segment of the workspace, for a field in which one is chosen. */
export const allSegments = queryOptions({
  queryKey: [{ _id: 'listSegments', all: true }],
  queryFn: ({ signal }) => readAll<Segment>((query) => listSegments({ query, signal, throwOnError: true })),
});
