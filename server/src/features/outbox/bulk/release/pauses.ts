import type { Db } from '#platform/db/database.ts';
import { pauseSend } from '../../pause/pause-send.ts';
import type { SendKey } from '../bulk-send.ts';
import type { SendLimit } from './send-limits.ts';

/** How long a send waits for its domain to be verified again, before it fails. */
export const DOMAIN_HOURS = 72;

export const pauseForDomain = (tx: Db, { workspaceId, sendId }: SendKey, domain: string): Promise<boolean> =>
  pauseSend(
    tx,
    workspaceId,
    sendId,
    `The domain ${domain} may not send any more. Verify it again: the send then goes on by itself. It fails if that takes longer than ${DOMAIN_HOURS} hours.`,
    { code: 'domain_unverified' },
  );

/** Nothing is left in a limit: the send goes on by itself at the reset, or when the limit is raised. */
export function pauseAtLimit(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  domain: string,
  { limit, resetAt }: { limit: SendLimit; resetAt: Date },
): Promise<boolean> {
  const { code, cap, tier } = limit;
  // A cap of 0 blocks: it is as full after its reset.
  const resumesAt = cap === 0 ? null : resetAt;
  const what =
    code === 'quota'
      ? `The quota of this workspace is ${cap} emails a month, and it is used up.`
      : `The ${tier} limit of ${domain} is ${cap} recipients, and it is used up.`;
  const remedy = code === 'quota' ? 'the operator raises the quota' : 'the limit is raised';
  const end =
    resumesAt === null
      ? `The send goes on by itself when ${remedy}.`
      : `It resets ${resumesAt.toISOString().replace('.000Z', 'Z')}. The send then goes on by itself, or as soon as ${remedy}.`;
  return pauseSend(tx, workspaceId, sendId, `${what} ${end}`, { code, resumesAt });
}
