/** `verify-samples.test.ts` runs the first against a signature of the server. */
const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the event, or throws. Takes the body as it arrived: bytes or text, not a parsed object. */
export function verifyWebhook(rawBody, signatureHeader, secret) {
  const parts = String(signatureHeader ?? '').split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice(2);
  const digest = createHmac('sha256', secret).update(\`\${time}.\`).update(rawBody).digest('hex');
  const expected = Buffer.from(\`v1=\${digest}\`);
  const isOurs = (part) => part.length === expected.length && timingSafeEqual(Buffer.from(part), expected);
  if (!parts.some(isOurs)) throw new Error('The signature does not match.');
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) throw new Error('Sent over five minutes ago.');
  return JSON.parse(rawBody.toString());
}
`;

const EXPRESS = `import express from 'express';
import { verifyWebhook } from './verify-webhook.mjs';

const app = express();

// express.raw keeps the bytes: they are what is signed.
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  let event;
  try {
    event = verifyWebhook(request.body, request.get('x-service-signature'), process.env.POSTHORN_WEBHOOK_SECRET);
  } catch (error) {
    return response.status(400).send(error.message);
  }
  response.status(200).json({ received: event.id });
  // Do the work after the answer, once for each event.id.
});

app.listen(4000);
`;

const PACKAGE = `import { Webhook } from 'standardwebhooks';

/** Returns the event, or throws. \`headers\` are those of the request, by their names in lower case. */
export const verify = (rawBody, headers) =>
  new Webhook(process.env.POSTHORN_WEBHOOK_SECRET).verify(rawBody, headers);
`;

const PYTHON = `import base64, hashlib, hmac, json, time


def verify_webhook(raw_body: bytes, headers: dict, secret: str) -> dict:
    """Returns the event, or raises ValueError. Header names are in lower case."""
    sent_at = headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        raise ValueError("sent over five minutes ago, or a clock is off")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{sent_at}.".encode() + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers["webhook-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(expected, one) for one in given):
        raise ValueError("the signature does not match")
    return json.loads(raw_body)
`;

const SHELL = `# The hex digest that X-Service-Signature has after v1=
printf '%s.%s' "$TIMESTAMP" "$(cat body.json)" | openssl dgst -sha256 -hmac "$POSTHORN_WEBHOOK_SECRET"
`;

export const SAMPLES = [
  { id: 'node', label: 'Node.js', code: NODE },
  { id: 'express', label: 'Express', code: EXPRESS },
  { id: 'package', label: 'standardwebhooks', code: PACKAGE },
  { id: 'python', label: 'Python', code: PYTHON },
  { id: 'shell', label: 'Shell', code: SHELL },
] as const;
