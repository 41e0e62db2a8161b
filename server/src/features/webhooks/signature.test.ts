import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { test } from 'node:test';
import Stripe from 'stripe';
import { needsTool } from '../../../test/system-tools.ts';
import { generateSecret } from './endpoint-secret.ts';
import { type SignedDelivery, signatureHeaders } from './signature.ts';

// Everything that is easily re-encoded on the way: line separators, an emoji, escapes, an ü in two forms.
const BODY = '{"id":"evt_1","subject":"a\u2028b 🎉 \\u00fc ü u\u0308 \\/ ","n":1.0}';
const SECRET = generateSecret();
const AT_SECONDS = 1_795_000_000;
const stripe = new Stripe('sk_test_not_used');

const signed = (given: Partial<SignedDelivery> = {}): string => {
  const headers = signatureHeaders({
    body: BODY,
    secrets: [SECRET],
    timestampSeconds: AT_SECONDS,
    eventId: '0197f400-1c2d-7abc-8def-0123456789ac',
    eventType: 'send',
    deliveryId: '0197f400-1c2d-7abc-8def-0123456789ab',
    attempt: 1,
    ...given,
  });
  return headers['X-Service-Signature'] ?? '';
};

const stripeAccepts = (header: string, body = BODY, secret = SECRET, nowSeconds = AT_SECONDS): boolean => {
  try {
    stripe.webhooks.constructEvent(body, header, secret, 300, undefined, nowSeconds * 1_000);
    return true;
  } catch (error) {
    assert.ok(error instanceof Stripe.errors.StripeSignatureVerificationError);
    return false;
  }
};

/** As the rules say it, in both directions of time: the other verifier takes what comes from the future. */
function accepts(header: string, body = BODY, secret = SECRET, nowSeconds = AT_SECONDS): boolean {
  const parts = header.split(',').map((part) => part.split('=', 2));
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '');
  if (times.length !== 1 || Math.abs(Number(times[0]) - nowSeconds) > 300) return false;
  const mine = createHmac('sha256', secret).update(`${times[0]}.${body}`).digest();
  return parts.some(([name, value]) => {
    const theirs = Buffer.from(value ?? '', 'hex');
    return name === 'v1' && theirs.length === mine.length && timingSafeEqual(theirs, mine);
  });
}

test('a delivery has our five headers, those of Standard Webhooks, its own id and the number of the attempt', () => {
  const headers = signatureHeaders({
    body: '{}',
    secrets: ['whsec_eHh4eHg='],
    timestampSeconds: 1_700_000_000,
    eventId: '0197f400-1c2d-7abc-8def-0123456789ab',
    eventType: 'newsletter.issue.sent',
    deliveryId: 'd-1',
    attempt: 3,
  });
  assert.deepEqual(headers, {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook/1.0',
    // Made by: printf '1700000000.{}' | openssl dgst -sha256 -hmac 'whsec_eHh4eHg='
    'X-Service-Signature': 't=1700000000,v1=c4f1356d8ac627e9ce6f0a61425aa38bb5dcc5150e416d0b4eb2a033aa557e05',
    'X-Service-Timestamp': '1700000000',
    'X-Service-Event': 'newsletter.issue.sent',
    'X-Service-Delivery': 'd-1',
    'X-Service-Attempt': '3',
    'webhook-id': 'evt_0197f4001c2d7abc8def0123456789ab',
    'webhook-timestamp': '1700000000',
    // Made by: printf 'evt_0197f4001c2d7abc8def0123456789ab.1700000000.{}' | openssl dgst -sha256 -hmac xxxxx -binary |
    // base64
    'webhook-signature': 'v1,16/Q8DAJTSV6SE6OLhORoKaD8xSRt8LhW4Jv+CGYKvQ=',
  });
});

test('the verifier of the stripe package accepts it, and nothing that was changed', () => {
  assert.ok(stripeAccepts(signed()));
  assert.ok(stripeAccepts(signed(), BODY, SECRET, AT_SECONDS + 300));
  assert.equal(stripeAccepts(signed(), BODY.replace('evt_1', 'evt_2')), false);
  assert.equal(stripeAccepts(signed(), JSON.stringify(JSON.parse(BODY))), false);
  assert.equal(stripeAccepts(signed(), BODY, generateSecret()), false);
  assert.equal(stripeAccepts(signed(), BODY, SECRET, AT_SECONDS + 301), false);
});

test('a verifier with the tolerance in both directions refuses 301 seconds early and late', () => {
  for (const seconds of [-300, -1, 0, 1, 300]) assert.ok(accepts(signed(), BODY, SECRET, AT_SECONDS + seconds));
  for (const seconds of [-86_400, -301, 301, 86_400]) {
    assert.equal(accepts(signed(), BODY, SECRET, AT_SECONDS + seconds), false);
  }
});

test('a foreign signature is refused: another version, another secret, a second time, the old form', () => {
  const header = signed();
  const digest = header.slice(header.indexOf('v1=') + 3);
  for (const [what, forged] of [
    ['version 0', header.replace('v1=', 'v0=')],
    ['the form that is gone', `sha256=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`],
    ['the secret of another endpoint', signed({ secrets: [generateSecret()] })],
    ['a newer time put before it', `t=${AT_SECONDS + 200},${header}`],
    ['a newer time in its place', header.replace(`t=${AT_SECONDS}`, `t=${AT_SECONDS + 200}`)],
    ['no time', `v1=${digest}`],
    ['half of it', header.slice(0, -32)],
    ['nothing', ''],
  ] as const) {
    assert.equal(accepts(forged), false, what);
    // Of two times it takes the last, which is the one that was signed.
    if (!what.includes('before')) assert.equal(stripeAccepts(forged), false, what);
  }
  assert.doesNotMatch(header, /sha256=/);
});

test('while a rotation overlaps, the holder of either secret can verify', () => {
  const old = generateSecret();
  const header = signed({ secrets: [SECRET, old] });
  assert.match(header, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  assert.equal(header.indexOf(signed().slice(0, 80)), 0, 'the new one stands first');
  for (const secret of [SECRET, old]) {
    assert.ok(stripeAccepts(header, BODY, secret));
    assert.ok(accepts(header, BODY, secret));
  }
  assert.equal(accepts(header, BODY, generateSecret()), false);
});

test('openssl computes the same digest from the raw body', (t) => {
  if (!needsTool(t, 'openssl')) return;
  const script = 'printf "%s.%s" "$1" "$(cat)" | openssl dgst -sha256 -hmac "$2" | sed "s/^.*= //"';
  const digest = execFileSync('sh', ['-c', script, 'sh', String(AT_SECONDS), SECRET], {
    input: BODY,
    encoding: 'utf8',
  });
  assert.equal(`t=${AT_SECONDS},v1=${digest.trim()}`, signed());
});
