// Needs Node and nothing else: POSTHORN_WEBHOOK_SECRET=whsec_… node server.mjs
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { verifyWebhook } from '../verify-webhook.mjs';

export async function onRequest(request, response) {
  const answer = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.method !== 'POST' || request.url !== '/webhooks') return answer(404, { error: 'POST /webhooks' });
  let event;
  try {
    // All the bytes first, as they came: the signature is over them.
    const parts = [];
    for await (const part of request) parts.push(part);
    const signature = request.headers['x-service-signature'];
    event = verifyWebhook(Buffer.concat(parts), signature, process.env.POSTHORN_WEBHOOK_SECRET);
  } catch (error) {
    return answer(400, { error: error.message });
  }
  // Answer first and work afterwards: a delivery that takes longer than ten seconds is sent again.
  answer(200, { received: event.id });
  console.log(event.type, event.email?.recipient);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  createServer(onRequest).listen(4000, () => console.log('Waiting for events at http://localhost:4000/webhooks'));
}
