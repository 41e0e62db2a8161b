import { useQuery } from '@tanstack/react-query';
import { countBroadcastAudience } from '../../../api/generated/sdk.gen.ts';

/** Counts the audience of the version that is saved. It is asked again for another `version`. */
export const useAudienceCount = (id: string, version: unknown, enabled: boolean) =>
  useQuery({
    queryKey: [{ _id: 'countBroadcastAudience', id, version }],
    queryFn: async () => (await countBroadcastAudience({ path: { id }, throwOnError: true })).data,
    enabled,
    placeholderData: (before) => before,
    gcTime: 60_000,
  });
