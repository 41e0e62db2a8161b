import { createHmac } from 'node:crypto';

export interface SignedDelivery {
  /** Exactly what is sent. */
  body: string;
  /** New first; during a rotation the one before it signs too. */
  secrets: readonly string[];
  timestampSeconds: number;
  eventType: string;
  deliveryId: string;
  /** From 1. */
  attempt: number;
}

/**
 * The headers of a delivery. Each `v1` is the hex HMAC-SHA-256 of `<timestamp>.<body>`; the key is the secret as it is
 * shown, all of its bytes with the `whsec_`. This is the scheme of Stripe, so its verifiers work here.
 */
export function signatureHeaders(delivery: SignedDelivery): Record<string, string> {
  const { body, secrets, timestampSeconds, eventType, deliveryId, attempt } = delivery;
  const digests = secrets.map((secret) => `v1=${digestOf(secret, timestampSeconds, body)}`);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook/1.0',
    'X-Service-Signature': [`t=${timestampSeconds}`, ...digests].join(','),
    'X-Service-Timestamp': String(timestampSeconds),
    'X-Service-Event': eventType,
    'X-Service-Delivery': deliveryId,
    'X-Service-Attempt': String(attempt),
  };
}

const digestOf = (secret: string, timestampSeconds: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestampSeconds}.${body}`, 'utf8').digest('hex');
