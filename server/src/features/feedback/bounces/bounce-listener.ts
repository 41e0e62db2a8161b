import { createHash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { selfSignedCertificate } from '#platform/smtp/self-signed-certificate.ts';
import { createSmtpListener, type SmtpLimits, type SmtpListener } from '#platform/smtp/smtp-listener.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { storeNotification } from '../notifications/store-notification.ts';
import { emailOfAddress, emailOfReport, FEEDBACK_LOCAL_PART } from './returned-email.ts';

export interface BounceListenerOptions {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'host' | 'inboundSmtpPort' | 'bounceDomain'>;
  secrets: Secrets;
  limits?: Partial<SmtpLimits>;
}

// Nobody checks it; a process that runs longer than that is due for an update.
const CERTIFICATE_DAYS = 3_650;

/**
 * Where bounce messages and feedback reports arrive: none without a bounce domain, or with port 0. Addresses that we
 * did not make do not exist, so nobody can fill the database who has no mail of ours; 250 is said when a message is
 * stored.
 */
export function bounceListeners(options: BounceListenerOptions): SmtpListener[] {
  const { db, clock, log, settings, secrets, limits } = options;
  if (settings.bounceDomain === null || settings.inboundSmtpPort === 0) return [];
  const domain = settings.bounceDomain.toLowerCase();
  const key = secrets.key('return path');
  const isFeedback = (address: string): boolean => address.toLowerCase() === `${FEEDBACK_LOCAL_PART}@${domain}`;
  const listener = createSmtpListener({
    name: 'bounces',
    log,
    clock,
    host: settings.host,
    port: settings.inboundSmtpPort,
    hostname: domain,
    tls: selfSignedCertificate({ commonName: 'bounces', dnsNames: [domain], now: clock.now(), days: CERTIFICATE_DAYS }),
    ...(limits === undefined ? {} : { limits }),
    checkRecipient(address) {
      if (address.slice(address.lastIndexOf('@') + 1).toLowerCase() !== domain) {
        throw new SmtpReply(550, 'We do not relay');
      }
      if (!isFeedback(address) && emailOfAddress(address, key) === null) throw new SmtpReply(550, 'No such address');
    },
    async accept({ to, raw }) {
      if (to.every(isFeedback) && emailOfReport(raw, key) === null) {
        throw new SmtpReply(550, 'This is about no mail of ours');
      }
      for (const address of to) {
        const id = createHash('sha256').update(address.toLowerCase()).update('\n').update(raw).digest('hex');
        await storeNotification(db, { source: 'mail', id, topic: null, body: raw, envelopeTo: address.toLowerCase() });
      }
    },
  });
  return [listener];
}
