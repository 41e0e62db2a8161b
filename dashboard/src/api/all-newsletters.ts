import { queryOptions } from '@tanstack/react-query';
import { listNewsletters } from './generated/sdk.gen.ts';
import type { NewsletterSummary } from './generated/types.gen.ts';

/** Every newsletter of the workspace, for a field in which one is chosen. The API gives 100 of them at a time. */
export const allNewsletters = queryOptions({
  queryKey: [{ _id: 'listNewsletters', all: true }],
  queryFn: async ({ signal }) => {
    const all: NewsletterSummary[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: '100', ...(cursor === undefined ? {} : { cursor }) };
      const { data } = await listNewsletters({ query, signal, throwOnError: true });
      all.push(...data.data);
      cursor = data.next_cursor;
    }
    return all;
  },
});
