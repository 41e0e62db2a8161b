import { Resend } from 'resend';

const resend = new Resend('re_not_used');

/** Returns the event, or throws. `headers` are those of the request, by their names in lower case. */
export const verify = (rawBody, headers, secret) =>
  resend.webhooks.verify({
    payload: rawBody,
    headers: {
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
    },
    webhookSecret: secret,
  });
