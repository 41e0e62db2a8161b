import { queryOptions } from '@tanstack/react-query';
import { listBroadcasts, listContactProperties, listLists, listSegments } from './generated/sdk.gen.ts';

interface Page<T> {
  data: readonly T[];
  next_cursor: string | null;
}

/** The API gives 100 records at a time. There are at most 1,000 lists, 500 segments and 200 properties. */
async function allOf<T>(read: (query: { limit: string; cursor?: string }) => Promise<{ data: Page<T> }>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await read({ limit: '100', ...(cursor === undefined ? {} : { cursor }) });
    all.push(...data.data);
    cursor = data.next_cursor;
  }
  return all;
}

/** Every list of contacts, for names and for fields in which one is chosen. */
export const allLists = queryOptions({
  queryKey: [{ _id: 'listLists', all: true }],
  queryFn: ({ signal }) => allOf((query) => listLists({ query, signal, throwOnError: true })),
});

/** Every segment of contacts. */
export const allSegments = queryOptions({
  queryKey: [{ _id: 'listSegments', all: true }],
  queryFn: ({ signal }) => allOf((query) => listSegments({ query, signal, throwOnError: true })),
});

/** Every property that a contact of the workspace has had, with its type. */
export const allProperties = queryOptions({
  queryKey: [{ _id: 'listContactProperties', all: true }],
  queryFn: ({ signal }) => allOf((query) => listContactProperties({ query, signal, throwOnError: true })),
});

/** The newest hundred broadcasts that were sent, for names and for a field in which one is chosen. */
export const sentBroadcasts = queryOptions({
  queryKey: [{ _id: 'listBroadcasts', sent: true }],
  queryFn: async ({ signal }) =>
    (await listBroadcasts({ query: { limit: '100', status: 'sent' }, signal, throwOnError: true })).data.data,
});
