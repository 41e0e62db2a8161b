import { createHmac } from 'node:crypto';
import { decodedSecret } from './endpoint-secret.ts';
import { eventName } from './events/event-name.ts';

export interface SignedDelivery {
  /** Exactly what is sent. */
  body: string;
  /** New first; during a rotation the one before it signs too. */
  secrets: readonly string[];
  timestampSeconds: number;
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** From 1. */
  attempt: number;
}

/**
 * The headers of a delivery, signed in two ways with the same secrets, so that verifiers of both kinds work here:
 * `X-Service-Signature` as Stripe signs (each `v1` is the hex HMAC-SHA-256 of `<timestamp>.<body>`; the key is the
 * secret as it is shown, all of its bytes with the `whsec_`), and the headers of Standard Webhooks
 * (https://www.standardwebhooks.com: base64 HMAC-SHA-256 of `<id>.<timestamp>.<body>`, keyed with the decoded bytes).
 */
export function signatureHeaders(delivery: SignedDelivery): Record<string, string> {
  const { body, secrets, timestampSeconds, eventType, deliveryId, attempt } = delivery;
  const id = eventName(delivery.eventId);
  const signed = `${timestampSeconds}.${body}`;
  const digests = secrets.map((secret) => `v1=${hmac(secret, signed).toString('hex')}`);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook/1.0',
    'X-Service-Signature': [`t=${timestampSeconds}`, ...digests].join(','),
    'X-Service-Timestamp': String(timestampSeconds),
    'X-Service-Event': eventType,
    'X-Service-Delivery': deliveryId,
    'X-Service-Attempt': String(attempt),
    ...standardHeaders({ id, body, secrets, timestampSeconds }),
  };
}

/** The headers of Standard Webhooks alone, for a call that is no delivery. */
export function standardHeaders({
  id,
  body,
  secrets,
  timestampSeconds,
}: Pick<SignedDelivery, 'body' | 'secrets' | 'timestampSeconds'> & { id: string }): Record<string, string> {
  const signed = `${id}.${timestampSeconds}.${body}`;
  const signatures = secrets.map((secret) => `v1,${hmac(decodedSecret(secret), signed).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': signatures.join(' ') };
}

const hmac = (key: string | Buffer, signed: string): Buffer =>
  createHmac('sha256', key).update(signed, 'utf8').digest();
