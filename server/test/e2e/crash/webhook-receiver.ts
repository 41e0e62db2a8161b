import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '../../harness/posthorn-process.ts';
import type { ReceivedDelivery } from './webhook-records.ts';

/** The answer to a request; `never` leaves it open. */
export type ReceiverAnswer = number | 'never';

/** A customer's server, which knows nothing of us: each request is written down before it is answered. */
export interface WebhookReceiver {
  /** The address of one of its endpoints: what it is called here is the last part of the path. */
  url(name: string): string;
  readonly received: readonly ReceivedDelivery[];
  /** Chooses the answer of each request, when it has been written down; 200 until it is set. */
  answer(choose: (delivery: ReceivedDelivery) => ReceiverAnswer): void;
  /** Refuses connections from now on, and cuts those that there are. */
  disappear(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const port = await freePort();
  const received: ReceivedDelivery[] = [];
  let choose: (delivery: ReceivedDelivery) => ReceiverAnswer = () => 200;
  let server: Server | undefined;

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request without an encoding gives buffers
    const body = Buffer.concat(parts);
    const delivery: ReceivedDelivery = {
      endpoint: (request.url ?? '').slice(1),
      deliveryId: String(request.headers['x-service-delivery']),
      attempt: Number(request.headers['x-service-attempt']),
      eventId: eventIdOf(body),
      bodyHash: createHash('sha256').update(body).digest('hex'),
      at: Date.now(),
      answered: null,
    };
    received.push(delivery);
    const answer = choose(delivery);
    if (answer === 'never') return;
    delivery.answered = answer;
    response.writeHead(answer).end();
  };

  const listen = async (): Promise<void> => {
    // A client that is killed in the middle of its request has sent no delivery.
    const listening = createServer((request, response) => void take(request, response).catch(() => undefined));
    server = listening;
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject);
      listening.listen(port, '127.0.0.1', resolve);
    });
  };
  const disappear = async (): Promise<void> => {
    const gone = server;
    server = undefined;
    if (gone === undefined) return;
    gone.closeAllConnections();
    await new Promise<void>((resolve) => gone.close(() => resolve()));
  };

  await listen();
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    received,
    answer(next) {
      choose = next;
    },
    disappear,
    comeBack: listen,
    close: disappear,
  };
}

/** As the database writes it: what is sent is `evt_` and the id without its dashes. */
function eventIdOf(body: Buffer): string {
  const { id } = JSON.parse(body.toString('utf8')) as { id: string }; // the envelope of every event
  return id.replace(/^evt_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
