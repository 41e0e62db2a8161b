import { createHash } from 'node:crypto';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { domainOf, type FindDestination, type MailDestination } from '#platform/smtp/mail-destination.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { storeNotification } from '../notifications/store-notification.ts';
import { emailOfAddress, emailOfReport, FEEDBACK_LOCAL_PART } from './returned-email.ts';

export interface BounceOptions {
  db: Db;
  settings: Pick<Settings, 'bounceDomain'>;
  secrets: Secrets;
}

/** Reports stand in front of the message that they return: 200 sessions hold 50 MB at most. */
const KEPT_BYTES = 256 * 1_024;
const MESSAGE_BYTES_MAX = 10 * 1_024 * 1_024;
const RECIPIENTS_MAX = 10;

/**
 * Where bounce messages and feedback reports arrive: nowhere without a bounce domain. Addresses that we did not make do
 * not exist, so nobody can fill the database who has no mail of ours; 250 is said when a message is stored.
 */
export function bounceDestination({ db, settings, secrets }: BounceOptions): FindDestination {
  if (settings.bounceDomain === null) return async () => undefined;
  const domain = settings.bounceDomain.toLowerCase();
  const key = secrets.key('return path');
  const isFeedback = (address: string): boolean => address.toLowerCase() === `${FEEDBACK_LOCAL_PART}@${domain}`;
  const destination: MailDestination = {
    key: `bounces ${domain}`,
    recipientsMax: RECIPIENTS_MAX,
    messageBytes: MESSAGE_BYTES_MAX,
    keepBytes: KEPT_BYTES,
    async accept({ to, raw }) {
      if (to.every(isFeedback) && emailOfReport(raw, key) === null) {
        throw new SmtpReply(550, 'This is about no mail of ours', '5.7.1');
      }
      for (const address of to) {
        const id = createHash('sha256').update(address.toLowerCase()).update('\n').update(raw).digest('hex');
        await storeNotification(db, { source: 'mail', id, topic: null, body: raw, envelopeTo: address.toLowerCase() });
      }
    },
  };
  return async (address) => {
    if (domainOf(address) !== domain) return undefined;
    if (!isFeedback(address) && emailOfAddress(address, key) === null) {
      throw new SmtpReply(550, 'No such address', '5.1.1');
    }
    return destination;
  };
}
