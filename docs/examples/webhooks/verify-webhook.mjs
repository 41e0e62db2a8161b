import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the event of a delivery, or throws saying why it is not to be trusted. Takes the body as it arrived. */
export function verifyWebhook(rawBody, signatureHeader, secret, nowMs = Date.now()) {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new Error('The body was parsed already. Take the raw bytes: parsing and serialising again changes them.');
  }
  if (!secret) throw new Error('There is no secret: set POSTHORN_WEBHOOK_SECRET to that of this endpoint.');
  const parts = String(signatureHeader ?? '').split(',');
  const times = parts.filter((part) => /^t=\d+$/.test(part)).map((part) => part.slice(2));
  if (times.length !== 1) throw new Error('X-Service-Signature is missing, or is not t=…,v1=….');
  const digest = createHmac('sha256', secret).update(`${times[0]}.`).update(rawBody).digest('hex');
  const isOurs = (part) => part.length === 67 && timingSafeEqual(Buffer.from(part), Buffer.from(`v1=${digest}`));
  if (!parts.some(isOurs)) {
    throw new Error(
      'The signature does not match. Was the body re-serialised? Check that nothing (a JSON parser, a proxy) touched ' +
        'its bytes before this, and that the secret is that of this endpoint.',
    );
  }
  if (Math.abs(nowMs / 1_000 - Number(times[0])) > 300)
    throw new Error('Sent over five minutes ago, or a clock is off.');
  return JSON.parse(Buffer.from(rawBody).toString('utf8'));
}
