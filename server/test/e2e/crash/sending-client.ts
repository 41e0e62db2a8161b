import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AcceptedRecord } from './records.ts';

export interface SendRequest {
  key: string;
  /** One entry per send; several go as one batch. */
  sends: string[][];
}

export interface ClientAnswer {
  status: number;
  /** From the request to the whole answer. */
  ms: number;
  /** The body of an answer that is no success. */
  refusal?: string;
}

export interface BrokenTry {
  key: string;
  /** How long its connection had been kept since the last answer over it; undefined: it was a new one. */
  unusedMs: number | undefined;
}

export interface SendingClient {
  /** Sends until a 2xx came, each time with the same Idempotency-Key, as a good client does after a reset. */
  sendUntilAccepted(request: SendRequest): Promise<void>;
  /** One try: the answer, or undefined when the connection was refused, reset or silent. */
  tryOnce(request: SendRequest): Promise<ClientAnswer | undefined>;
  readonly accepted: AcceptedRecord[];
  /** Every answer that came, in order. */
  readonly answers: readonly ClientAnswer[];
  /** Tries without an answer: connection refused before anything was sent, and all others. */
  readonly refused: number;
  readonly broken: readonly BrokenTry[];
  close(): void;
}

export interface SendingClientOptions {
  url: string;
  key: string;
  /** An answer that takes longer counts as none. */
  answerTimeoutMs?: number;
  /** How long one request is tried again and again. */
  patienceMs?: number;
}

const RETRY_MS = 25;
/** As long as a process may take to start again. */
const PATIENCE_MS = 180_000;

/** A customer's program that writes down each 2xx, synced to disk, before it does anything else. */
export function createSendingClient(options: SendingClientOptions): SendingClient {
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-client-'));
  const file = path.join(folder, 'accepted.jsonl');
  const log = openSync(file, 'a');
  const answers: ClientAnswer[] = [];
  const broken: BrokenTry[] = [];
  const agent = new Agent({ keepAlive: true });
  const answeredAt = new WeakMap<Socket, number>();
  let refused = 0;

  /** Posts over a kept connection when there is one. A failure says how long that had been unused. */
  const post = async (pathname: string, key: string, body: string): Promise<{ status: number; text: string }> => {
    const asking = httpRequest(`${options.url}${pathname}`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${options.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      signal: AbortSignal.timeout(options.answerTimeoutMs ?? 15_000),
    });
    let unusedMs: number | undefined;
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        asking.once('socket', (socket) => {
          const last = answeredAt.get(socket);
          unusedMs = last === undefined ? undefined : performance.now() - last;
        });
        asking.once('response', resolve).once('error', reject).end(body);
      });
      const { socket } = answer;
      const text = (await answer.setEncoding('utf8').toArray()).join('');
      answeredAt.set(socket, performance.now());
      return { status: answer.statusCode ?? 0, text };
    } catch (error) {
      if (isRefusal(error)) refused += 1;
      else broken.push({ key, unusedMs });
      throw error;
    }
  };

  const tryOnce = async ({ key, sends }: SendRequest): Promise<ClientAnswer | undefined> => {
    const bodies = sends.map(bodyFor);
    const begun = performance.now();
    const pathname = bodies.length === 1 ? '/v1/send' : '/v1/batch';
    const said = await post(pathname, key, JSON.stringify(bodies.length === 1 ? bodies[0] : bodies)).catch(
      () => undefined, // counted
    );
    if (said === undefined) return undefined;
    const { status, text } = said;
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess) {
      const record: AcceptedRecord = { key, emails: emailsOf(JSON.parse(text)) };
      writeSync(log, `${JSON.stringify(record)}\n`);
      fsyncSync(log);
    }
    const answer = { status, ms: performance.now() - begun, ...(isSuccess ? {} : { refusal: text }) };
    answers.push(answer);
    return answer;
  };

  return {
    answers,
    broken,
    tryOnce,
    get refused() {
      return refused;
    },
    get accepted() {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AcceptedRecord); // written above
    },
    async sendUntilAccepted(request) {
      const until = performance.now() + (options.patienceMs ?? PATIENCE_MS);
      for (;;) {
        const answer = await tryOnce(request);
        if (answer !== undefined && answer.status < 300) return;
        if (answer !== undefined && answer.status < 500 && answer.status !== 409)
          throw new Error(`${request.key} was answered ${answer.status}`);
        if (performance.now() > until) throw new Error(`${request.key} was not accepted in time`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    },
    close() {
      agent.destroy();
      closeSync(log);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const bodyFor = (to: string[]): object => ({
  from: 'Crash <crash@posthorn.test>',
  to,
  subject: 'Still here',
  html: '<p>Whatever happens</p>',
});

interface SendAnswer {
  emails: { id: string; to: string }[];
}

/** Of an answer of /v1/send, or of one of /v1/batch, which has one such answer per item. */
function emailsOf(answer: SendAnswer | { results: SendAnswer[] }): AcceptedRecord['emails'] {
  const sends = 'results' in answer ? answer.results : [answer];
  return sends.flatMap((send) => send.emails.map(({ id, to }) => ({ id, recipient: to })));
}

/** The server was not there: nothing of the request has left. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
