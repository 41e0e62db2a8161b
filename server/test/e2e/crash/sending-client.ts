import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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
  readonly broken: number;
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

/** A customer's program that writes down each 2xx, synced to disk, before it does anything else. */
export function createSendingClient(options: SendingClientOptions): SendingClient {
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-client-'));
  const file = path.join(folder, 'accepted.jsonl');
  const log = openSync(file, 'a');
  const answers: ClientAnswer[] = [];
  let refused = 0;
  let broken = 0;

  const tryOnce = async ({ key, sends }: SendRequest): Promise<ClientAnswer | undefined> => {
    const bodies = sends.map(bodyFor);
    const begun = performance.now();
    let status: number;
    let text: string;
    try {
      const answer = await fetch(`${options.url}${bodies.length === 1 ? '/v1/send' : '/v1/batch'}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${options.key}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
        signal: AbortSignal.timeout(options.answerTimeoutMs ?? 15_000),
      });
      ({ status } = answer);
      text = await answer.text();
    } catch (error) {
      if (isRefusal(error)) refused += 1;
      else broken += 1;
      return undefined;
    }
    if (status >= 200 && status < 300) {
      const record: AcceptedRecord = { key, emails: emailsOf(JSON.parse(text)) };
      writeSync(log, `${JSON.stringify(record)}\n`);
      fsyncSync(log);
    }
    const answer = { status, ms: performance.now() - begun };
    answers.push(answer);
    return answer;
  };

  return {
    answers,
    tryOnce,
    get refused() {
      return refused;
    },
    get broken() {
      return broken;
    },
    get accepted() {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AcceptedRecord); // written above
    },
    async sendUntilAccepted(request) {
      const until = performance.now() + (options.patienceMs ?? 60_000);
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
function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED';
}
