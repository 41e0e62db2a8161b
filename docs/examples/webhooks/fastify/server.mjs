// npm install fastify, then: POSTHORN_WEBHOOK_SECRET=whsec_… node server.mjs
import { pathToFileURL } from 'node:url';
import Fastify from 'fastify';
import { verifyWebhook } from '../verify-webhook.mjs';

export const app = Fastify();

// A plugin of its own, so that only its routes get JSON as bytes: the signature is over the bytes.
app.register(async (webhooks) => {
  webhooks.removeContentTypeParser('application/json');
  webhooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  webhooks.post('/webhooks', async (request, reply) => {
    let event;
    try {
      event = verifyWebhook(request.body, request.headers['x-service-signature'], process.env.POSTHORN_WEBHOOK_SECRET);
    } catch (error) {
      return reply.code(400).send({ error: error.message });
    }
    // Queue what takes long: a delivery that is not answered within ten seconds is sent again.
    console.log(event.type, event.email?.recipient);
    return { received: event.id };
  });
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await app.listen({ port: 4000 });
  console.log('Waiting for events at http://localhost:4000/webhooks');
}
