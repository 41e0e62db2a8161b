// server.mjs serves this with Node; Bun, Deno and others take `app.fetch` as it is, with POSTHORN_WEBHOOK_SECRET set.
import { Hono } from 'hono';
import { verifyWebhook } from '../verify-webhook.mjs';

export const app = new Hono();

app.post('/webhooks', async (c) => {
  let event;
  try {
    // Never c.req.json(): the signature is over the bytes.
    const body = Buffer.from(await c.req.arrayBuffer());
    event = verifyWebhook(body, c.req.header('x-service-signature'), process.env.POSTHORN_WEBHOOK_SECRET);
  } catch (error) {
    return c.json({ error: error.message }, 400);
  }
  // Queue what takes long: a delivery that is not answered within ten seconds is sent again.
  console.log(event.type, event.email?.recipient);
  return c.json({ received: event.id });
});
