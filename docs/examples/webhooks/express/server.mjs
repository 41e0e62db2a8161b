// npm install express, then: POSTHORN_WEBHOOK_SECRET=whsec_… node server.mjs
import { pathToFileURL } from 'node:url';
import express from 'express';
import { verifyWebhook } from '../verify-webhook.mjs';

export const app = express();

// express.raw, on this route, and before any app.use(express.json()): the signature is over the bytes.
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  let event;
  try {
    event = verifyWebhook(request.body, request.get('x-service-signature'), process.env.POSTHORN_WEBHOOK_SECRET);
  } catch (error) {
    response.status(400).json({ error: error.message });
    return;
  }
  // Answer first and work afterwards: a delivery that takes longer than ten seconds is sent again.
  response.json({ received: event.id });
  console.log(event.type, event.email?.recipient);
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  app.listen(4000, () => console.log('Waiting for events at http://localhost:4000/webhooks'));
}
