import { CONFIGURATION_SET, CREDENTIALS, EVENT_DESTINATION, EVENTS, IDENTITY, QUOTA } from './ses/about-ses.ts';
import { RECEIVED_MAIL, RECEIVING, REGION, SANDBOX, STANDING, SUBSCRIPTION, TOPIC } from './ses/about-ses.ts';
import { CALLBACK } from './about-callback.ts';
import { BOUNCES, CONNECTION, DOMAIN_RECORDS, LISTENER, RETURN_PATH, SIGN_IN, TLS } from './about-smtp.ts';
import { RELAY, RELAY_CERTIFICATE } from './relay/about-relay.ts';
import { MTA_STS } from './inbound/about-mta-sts.ts';
import { CLOCK } from './check-clock.ts';
import { DATABASE, NOTIFICATIONS } from './check-database.ts';
import { REFUSALS } from './check-refusals.ts';
import { SENDING } from './check-sending.ts';
import { type About, about } from './finding.ts';

export const CAPTURE = about({
  id: 'capture',
  looksAt: 'Nothing: no mail leaves the machine.',
  troubles: {},
});

/**
 * Every check, in the order in which they are made: those of the database first, then those of the provider, of the
 * SMTP relay and of received mail. docs/doctor.md is made of this.
 */
export const CATALOGUE: Readonly<
  Record<'database' | 'ses' | 'smtp' | 'capture' | 'relay' | 'inbound', readonly About[]>
> = {
  database: [DATABASE, NOTIFICATIONS, CLOCK, SENDING],
  ses: [
    CREDENTIALS,
    REGION,
    SANDBOX,
    STANDING,
    QUOTA,
    IDENTITY,
    CONFIGURATION_SET,
    EVENT_DESTINATION,
    TOPIC,
    SUBSCRIPTION,
    CALLBACK,
    EVENTS,
    RECEIVING,
    RECEIVED_MAIL,
    REFUSALS,
  ],
  smtp: [CONNECTION, TLS, SIGN_IN, RETURN_PATH, LISTENER, BOUNCES, DOMAIN_RECORDS, CALLBACK, REFUSALS],
  capture: [CAPTURE],
  relay: [RELAY, RELAY_CERTIFICATE],
  inbound: [MTA_STS],
};
