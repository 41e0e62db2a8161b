import { CONFIGURATION_SET, CREDENTIALS, EVENT_DESTINATION, EVENTS, IDENTITY, QUOTA } from './about-ses.ts';
import { REGION, SANDBOX, STANDING, SUBSCRIPTION, TOPIC } from './about-ses.ts';
import { CALLBACK } from './about-callback.ts';
import { BOUNCES, CONNECTION, LISTENER, RETURN_PATH, SIGN_IN, TLS } from './about-smtp.ts';
import { REFUSALS } from './check-refusals.ts';
import { type About, about } from './finding.ts';

export const CAPTURE = about({
  id: 'capture',
  looksAt: 'Nothing: no mail leaves the machine.',
  troubles: {},
});

/** Every check by provider, in the order in which they are made. docs/doctor.md is made of this. */
export const CATALOGUE: Readonly<Record<'ses' | 'smtp' | 'capture', readonly About[]>> = {
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
    REFUSALS,
  ],
  smtp: [CONNECTION, TLS, SIGN_IN, RETURN_PATH, LISTENER, BOUNCES, CALLBACK, REFUSALS],
  capture: [CAPTURE],
};
