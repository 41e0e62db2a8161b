// npm install hono @hono/node-server, then: POSTHORN_WEBHOOK_SECRET=whsec_… node server.mjs
import { serve } from '@hono/node-server';
import { app } from './app.mjs';

serve({ fetch: app.fetch, port: 4000 }, () => console.log('Waiting for events at http://localhost:4000/webhooks'));
