import type { Db } from '#platform/db/database.ts';
import { pauseSend } from '../../pause/pause-send.ts';
import type { SendKey } from '../bulk-send.ts';

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
