import { Webhook } from 'standardwebhooks';

/** Returns the event, or throws. `headers` are those of the request, by their names in lower case. */
export const verify = (rawBody, headers, secret) => new Webhook(secret).verify(rawBody, headers);
