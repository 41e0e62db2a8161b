import { findReceivingDomain, type ReceivingDomain } from '#features/domains';
import { hasBareLineEnd, hopsOf } from '#mail/inbound/wire-rules.ts';
import { firstExceeded } from '#platform/attempts/attempt-limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { BodyBudget } from '#platform/http/body/body-budget.ts';
import {
  domainOf,
  type FindDestination,
  type MailDestination,
  type ReceivedMessage,
} from '#platform/smtp/mail-destination.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import { storeInbound } from './store-inbound.ts';

export interface ArrivingPorts {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  settings: Pick<Settings, 'inboundMessageMb' | 'inboundPerMinute' | 'inboundMb'>;
  /** Of messages that are being received. */
  bodyBudget: BodyBudget;
}

const MB = 1_048_576;
const RECIPIENTS_MAX = 100;
/** Postfix gives up at the same number. */
const HOPS_MAX = 50;

/**
 * Where mail for receiving domains arrives. Every address of such a domain exists. A domain that is not verified takes
 * nothing yet, and loses nothing either: its mail is asked to come again.
 */
export const inboundDestination =
  (ports: ArrivingPorts): FindDestination =>
  async (address) => {
    const domain = await findReceivingDomain(ports.db, domainOf(address));
    if (domain === undefined) return undefined;
    if (!domain.isVerified) throw new SmtpReply(451, 'This domain is not verified, try again later', '4.3.0');
    return destinationOf(ports, domain);
  };

function destinationOf(ports: ArrivingPorts, domain: ReceivingDomain): MailDestination {
  const { settings, bodyBudget } = ports;
  const messageBytes = settings.inboundMessageMb * MB;
  return {
    key: `inbound ${domain.id}`,
    recipientsMax: RECIPIENTS_MAX,
    messageBytes,
    keepBytes: messageBytes,
    hold: (bytes) => bodyBudget.take(domain.workspaceId, bytes),
    async accept(message) {
      refuseBadWire(message);
      await refuseFlood(ports, domain);
      await storeInbound(ports, domain, message);
    },
  };
}

/** A service that took the message has made of its line ends what it wanted, and cannot be asked again. */
function refuseBadWire({ raw, verdicts }: ReceivedMessage): void {
  if (verdicts === undefined && hasBareLineEnd(raw))
    throw new SmtpReply(550, 'A line of the message does not end in CRLF', '5.6.0');
  if (hopsOf(raw) > HOPS_MAX) throw new SmtpReply(554, 'The message goes round in a loop', '5.4.6');
}

async function refuseFlood({ db, secrets, settings, clock }: ArrivingPorts, { id }: ReceivingDomain): Promise<void> {
  const limit = { subject: `inbound ${id}`, max: settings.inboundPerMinute, windowSeconds: 60 };
  if ((await firstExceeded({ db, secrets }, [limit], clock.now())) === undefined) return;
  throw new SmtpReply(451, 'Too much mail for this domain in this minute, try again later', '4.7.1');
}
