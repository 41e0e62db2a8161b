// app/webhooks/route.js of a Next.js project (App Router). Copy verify-webhook.mjs into the project and import it from
// there; POSTHORN_WEBHOOK_SECRET goes into .env.local.
import { verifyWebhook } from '../../../verify-webhook.mjs';

// Not the edge runtime, which has no node:crypto.
export const runtime = 'nodejs';

export async function POST(request) {
  let event;
  try {
    // Never request.json(): the signature is over the bytes.
    const body = Buffer.from(await request.arrayBuffer());
    event = verifyWebhook(body, request.headers.get('x-service-signature'), process.env.POSTHORN_WEBHOOK_SECRET);
  } catch (error) {
    return Response.json({ error: error.message }, { status: 400 });
  }
  // Queue what takes long: a delivery that is not answered within ten seconds is sent again.
  console.log(event.type, event.email?.recipient);
  return Response.json({ received: event.id });
}
