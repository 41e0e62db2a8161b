import { type AcceptedSend, acceptSend, plainContent, type SendReceipt } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';

/** A send as the engine accepts it, queued in the transactional lane with a `send` event each. */
export const accepted = (
  db: Db,
  workspaceId: string,
  to: readonly string[],
  given: Partial<AcceptedSend> = {},
): Promise<SendReceipt> =>
  acceptSend(
    { db, workspaceId },
    {
      source: 'api',
      lane: 'transactional',
      content: plainContent({
        from: parseMailbox('Acme <hello@posthorn.test>'),
        domain: { domain: 'posthorn.test', domainId: null },
        subject: 'Hello',
        html: '<p>Hello</p>',
        text: 'Hello',
      }),
      recipients: to.map(parseMailbox),
      expiresAt: null,
      sandbox: false,
      apiKey: null,
      takes: [],
      ...given,
    },
  );
