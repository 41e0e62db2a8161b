import { useQuery } from '@tanstack/react-query';
import { listInboundEmailsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { InboundEmailSummary } from '../../../api/generated/types.gen.ts';

const WAITING_POLL_MS = 3_000;
const POLL_MS = 30_000;

/** The last mail of a domain, if there is one; undefined until that is known. */
export function useLastMail(domainId: string): { last: InboundEmailSummary | undefined } | undefined {
  const { data } = useQuery({
    ...listInboundEmailsOptions({ query: { domain_id: domainId, limit: '1' } }),
    refetchInterval: ({ state }) => (state.data?.data.length === 0 ? WAITING_POLL_MS : POLL_MS),
  });
  return data && { last: data.data[0] };
}
