import { useQuery } from '@tanstack/react-query';
import { allLists, allProperties, allSegments, sentBroadcasts } from '../../../../api/audience.ts';
import type { ContactList, ContactProperty, Segment } from '../../../../api/generated/types.gen.ts';

export interface AllNames {
  properties: readonly ContactProperty[];
  lists: readonly ContactList[];
  segments: readonly Segment[];
  broadcasts: readonly { id: string; name: string }[];
}

/** Everything that a condition may name. */
export function useNames(): { names: AllNames | undefined; error: Error | null; refetch: () => void } {
  const properties = useQuery(allProperties);
  const lists = useQuery(allLists);
  const segments = useQuery(allSegments);
  // Nothing waits for these: a condition that names one can be read without its name.
  const { data: broadcasts = [] } = useQuery(sentBroadcasts);
  const isThere = properties.data !== undefined && lists.data !== undefined && segments.data !== undefined;
  return {
    names: isThere
      ? { properties: properties.data, lists: lists.data, segments: segments.data, broadcasts }
      : undefined,
    error: properties.error ?? lists.error ?? segments.error,
    refetch: () => void Promise.all([properties.refetch(), lists.refetch(), segments.refetch()]),
  };
}
