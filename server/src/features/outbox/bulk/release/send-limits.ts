import type { PagedLimit } from '#platform/usage/paged-limit.ts';
import type { SendKey } from '../bulk-send.ts';
import type { LockedSend } from './release-queries.ts';

/** The quota of a workspace or a cap of a domain, which a bulk send takes from page by page. */
export interface SendLimit extends PagedLimit {
  code: 'quota' | 'domain_limit';
}

/** The limits of a send. Mail of a test key takes from them too, as every send does. */
export function limitsOfSend({ workspaceId }: SendKey, send: LockedSend): SendLimit[] {
  const { emailsPerMonth, domainId, maxDaily, maxMonthly } = send;
  const limit = (code: SendLimit['code'], subjectId: string | null, tier: SendLimit['tier'], cap: number | null) =>
    cap === null || subjectId === null ? [] : [{ workspaceId, code, subjectId, tier, cap }];
  return [
    ...limit('quota', workspaceId, 'monthly', emailsPerMonth),
    ...limit('domain_limit', domainId, 'daily', maxDaily),
    ...limit('domain_limit', domainId, 'monthly', maxMonthly),
  ];
}
