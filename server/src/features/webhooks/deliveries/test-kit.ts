/** Helpers that the tests of deliveries share: endpoints with something due, a receiver that counts, and workers. */
import { emailEvents } from '../../../../test/harness/email-events.ts';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createSecrets, type Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { createSafeFetch, type SafeAnswer, type SafeFetch, type SafeRequest } from '#platform/safe-fetch/safe-fetch.ts';
import { generateSecret, sealSecret } from '../endpoint-secret.ts';
import { DeliveryWorker } from './worker/delivery-worker.ts';
import { disableEndpointRow } from './queries/endpoint-health.ts';
import type { AttemptEnd, DeliveryPorts } from './ports.ts';

export const secrets = createSecrets('a master secret for tests, 32 bytes or more');
export const silent = createLog({ level: 'silent' });
/** Connections of all tests of a process. Its files share it, so none of them closes it. */
const safeFetch = createSafeFetch({ clock: systemClock, allow: ['127.0.0.1/32'], development: null });

export interface Post {
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
  path: string;
}

export interface CountingReceiver {
  url: string;
  port: number;
  posts: Post[];
  /** Occurs when a request has arrived whole. */
  arrived: Moment<Post>;
  /** Most requests that were unanswered at the same time. */
  atOnce: number;
  unanswered: number;
  answer: RequestListener;
  close(): Promise<void>;
}

/** Answers 200 until `answer` is something else. */
export async function aReceiver(): Promise<CountingReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    receiver.unanswered += 1;
    receiver.atOnce = Math.max(receiver.atOnce, receiver.unanswered);
    response.on('close', () => (receiver.unanswered -= 1));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const post = { headers: request.headers, body, atMs: performance.now(), path: request.url ?? '' };
      receiver.posts.push(post);
      receiver.answer(request, response);
      receiver.arrived.occur(post);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP listener has one
  const receiver: CountingReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    posts: [],
    arrived: new Moment<Post>(),
    atOnce: 0,
    unanswered: 0,
    answer: (_request, response) => response.end('ok'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

export interface TestWebhook {
  workspaceId: string;
  id: string;
  secret: string;
}

export async function aWebhook(
  db: Db,
  workspaceId: string,
  url: string,
  given: { events?: string[]; enabled?: boolean; secrets?: Secrets } = {},
): Promise<TestWebhook> {
  const [id, secret] = [newId(), generateSecret()];
  await sql`insert into webhooks (workspace_id, id, url, secret, events, enabled)
    values (${workspaceId}, ${id}, ${url}, ${sealSecret(given.secrets ?? secrets, secret)}, ${given.events ?? ['*']}::text[],
      ${given.enabled ?? true})`.execute(db);
  return { workspaceId, id, secret };
}

/** Deliveries that are due, each of an event of its own whose body is there already. Returns their ids. */
export async function dueDeliveries(
  db: Db,
  webhook: { workspaceId: string; id: string },
  count: number,
  given: { isReplay?: boolean } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const eventIds = ids.map(() => newId());
  await sql`insert into webhook_bodies (workspace_id, event_id, body)
    select ${webhook.workspaceId}, e, json_build_object('id', e, 'type', 'delivery')::text
      from unnest(${eventIds}::uuid[]) as e`.execute(db);
  await sql`insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, is_replay)
    select ${webhook.workspaceId}, d, ${webhook.id}, e, 'delivery', ${given.isReplay ?? false}
      from unnest(${ids}::uuid[], ${eventIds}::uuid[]) as x (d, e)`.execute(db);
  return ids;
}

export interface DeliveryState {
  id: string;
  status: string;
  attempt: number;
  waitSeconds: number | null;
  url: string | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  delivered: boolean;
  attempts: { at: string; status: number | null; response_time_ms: number; error: string | null }[];
}

/** Everything the database says about the deliveries of an endpoint, oldest first. */
export async function deliveriesOf(db: Db, webhook: { workspaceId: string; id: string }): Promise<DeliveryState[]> {
  const { rows } = await sql<DeliveryState>`
    select id, status, attempt, extract(epoch from next_attempt_at - clock_timestamp())::double precision as "waitSeconds",
           url, response_status as "responseStatus", response_body as "responseBody", error,
           delivered_at is not null as delivered, attempts
      from webhook_deliveries where workspace_id = ${webhook.workspaceId} and webhook_id = ${webhook.id}
     order by id`.execute(db);
  return rows;
}

export interface EndpointState {
  enabled: boolean;
  disabledReason: string | null;
  succeeded: boolean;
  failed: boolean;
  failing: boolean;
  failedAttempts: number;
}

export async function endpointOf(db: Db, webhook: { workspaceId: string; id: string }): Promise<EndpointState> {
  const { rows } = await sql<EndpointState>`
    select enabled, disabled_reason as "disabledReason", last_success_at is not null as succeeded,
           last_failure_at is not null as failed, failing_since is not null as failing,
           failed_attempts as "failedAttempts"
      from webhooks where workspace_id = ${webhook.workspaceId} and id = ${webhook.id}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('no such endpoint');
  return row;
}

/** Whatever waits is due now. */
export async function makeDue(db: Db, webhook: { workspaceId: string; id: string }): Promise<void> {
  await sql`update webhook_deliveries set next_attempt_at = now()
    where workspace_id = ${webhook.workspaceId} and webhook_id = ${webhook.id} and status = 'pending'`.execute(db);
}

/** After each test: a worker serves whatever is due, and what one test leaves to be tried again is so in the next. */
export async function forgetDeliveries(db: Db): Promise<void> {
  await sql`delete from webhook_deliveries where workspace_id is not null`.execute(db);
}

const made = new Set<DeliveryWorker>();

/** After each test: one that failed leaves no worker behind. */
export async function stopWorkers(): Promise<void> {
  const workers = [...made];
  made.clear();
  await Promise.all(workers.map((worker) => worker.stop()));
}

export function aWorker(db: Db, given: Partial<DeliveryPorts> = {}, listener?: Listener): DeliveryWorker {
  const ports: DeliveryPorts = {
    db,
    clock: systemClock,
    log: silent,
    secrets,
    safeFetch,
    emailEvents,
    retrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000],
    random: () => 0.5,
    disable: async (endpoint, reason) => void (await disableEndpointRow(db, endpoint, { reason, stillFailing: false })),
    counted: () => undefined,
    ...given,
  };
  const worker = new DeliveryWorker(ports, listener);
  made.add(worker);
  return worker;
}

/** Counts how attempts end. */
export function countingEnds(): { ends: Map<AttemptEnd, number>; counted: (end: AttemptEnd) => void } {
  const ends = new Map<AttemptEnd, number>();
  return { ends, counted: (end) => void ends.set(end, (ends.get(end) ?? 0) + 1) };
}

/** Runs a worker until so many attempts are on record, then stops it. */
export async function serve(worker: DeliveryWorker, attempts: number): Promise<void> {
  let written = 0;
  await worker.start();
  try {
    while (written < attempts) written += (await worker.recorded.next()).length;
  } finally {
    await worker.stop();
  }
}

export interface HeldRequest {
  url: string;
  answer(status: number): void;
  aborted: boolean;
}

/** A way out whose requests are answered by the test, or at once by `auto`. */
export class HeldFetch implements SafeFetch {
  readonly requests: HeldRequest[] = [];
  readonly began = new Moment<HeldRequest>();
  auto: ((url: string) => number | undefined) | undefined;

  checkUrl(url: string): Promise<string> {
    return Promise.resolve(url);
  }

  request(url: string, { signal }: SafeRequest): Promise<SafeAnswer> {
    return new Promise((resolve) => {
      const request: HeldRequest = {
        url,
        aborted: false,
        answer: (status) =>
          resolve({
            kind: 'answered',
            status,
            statusText: '',
            headers: {},
            body: Buffer.alloc(0),
            truncated: false,
            tookMs: 1,
          }),
      };
      signal?.addEventListener('abort', () => {
        request.aborted = true;
        resolve({ kind: 'failed', reason: 'aborted', tookMs: 1 });
      });
      this.requests.push(request);
      const status = this.auto?.(url);
      if (status !== undefined) setImmediate(() => request.answer(status));
      this.began.occur(request);
    });
  }

  async close(): Promise<void> {}
}
