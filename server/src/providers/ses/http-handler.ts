import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Clock } from '#platform/clock.ts';
import { type HttpAnswer, type Progress, progressOf } from './progress.ts';

/** The request that the SDK has made: signed, and complete. */
interface SignedRequest {
  protocol: string;
  hostname: string;
  port?: number;
  method: string;
  path: string;
  query?: Record<string, string | string[] | null | undefined>;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

// A kept connection that the other side ends while we write to it costs an email its certainty. Load balancers of AWS
// end theirs after a minute without work or later; ours go long before.
const IDLE_MS = 5_000;
// SES answers with some hundred bytes. Whatever is longer is no answer of SES, and need not be read to its end.
const ANSWER_BYTES_MAX = 262_144;

export interface HttpHandlerOptions {
  clock: Clock;
  connections: number;
  /** Certificates to believe besides the system's; PEM. */
  ca?: string | Buffer;
}

/** The SDK's view of it, besides what nobody calls here. */
export interface HttpHandler {
  readonly metadata: { handlerProtocol: string };
  handle(request: SignedRequest, options?: { abortSignal?: AbortSignal }): Promise<{ response: unknown }>;
  destroy(): void;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): object;
  readonly [name: string]: unknown;
}

/**
 * Sends the requests of the SDK over kept connections, and notes how far each got. Nothing is written before the
 * connection stands (TLS included), so everything that goes wrong until then certainly left no trace at the other side.
 */
export function createHttpHandler({ clock, connections, ca }: HttpHandlerOptions): HttpHandler {
  // Last in, first out: connections that are not needed go idle, and are closed.
  const agents = { keepAlive: true, maxSockets: connections, scheduling: 'lifo', timeout: IDLE_MS } as const;
  const http = new HttpAgent(agents);
  const https = new HttpsAgent({ ...agents, ...(ca === undefined ? {} : { ca }) });
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(signed, { abortSignal } = {}) {
      const progress = progressOf(abortSignal);
      if (progress !== undefined) progress.asked = true;
      abortSignal?.throwIfAborted();
      const open = signed.protocol === 'http:' ? httpRequest : httpsRequest;
      const outgoing = open({
        host: signed.hostname.replace(/^\[(.*)\]$/, '$1'),
        ...(signed.port === undefined ? {} : { port: signed.port }),
        method: signed.method,
        path: pathOf(signed),
        headers: signed.headers,
        agent: signed.protocol === 'http:' ? http : https,
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
      });
      if (progress !== undefined) outgoing.once('socket', () => (progress.hasConnection = true));
      const answer = await exchange(outgoing, () => say(outgoing, signed.body, { clock, progress }));
      if (progress !== undefined) progress.answer = answer;
      // A copy: the SDK gives what it gets another prototype.
      return { response: { statusCode: answer.status, headers: answer.headers, body: new Uint8Array(answer.body) } };
    },
    destroy() {
      http.destroy();
      https.destroy();
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/**
 * Writes the request to an open connection: its head when the gate opens, the message once that is on record. The
 * clock is read last, right before the message.
 */
async function say(
  outgoing: ClientRequest,
  body: string | Uint8Array | undefined,
  { clock, progress }: { clock: Clock; progress: Progress | undefined },
): Promise<void> {
  if (progress === undefined) return void outgoing.end(body);
  const { gate } = progress;
  if (gate !== undefined) {
    const untilMs = await gate.mayBegin();
    if (untilMs === null || clock.monotonicMs() >= untilMs)
      return giveUp(outgoing, progress, 'the message was withdrawn before it began');
    if (outgoing.destroyed) return;
    progress.untilMs = untilMs;
    outgoing.flushHeaders();
    if (!(await gate.isOnRecord())) return giveUp(outgoing, progress, 'the hand-off could not be put on record');
    if (outgoing.destroyed) return;
  }
  if (clock.monotonicMs() >= progress.untilMs)
    return void outgoing.destroy(new Error('the deadline passed before the request began'));
  progress.begun = true;
  outgoing.end(body);
}

function giveUp(outgoing: ClientRequest, progress: Progress, reason: string): void {
  progress.withdrawn = true;
  outgoing.destroy(new Error(reason));
}

function exchange(outgoing: ClientRequest, speak: () => Promise<void>) {
  return new Promise<HttpAnswer>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => void readAnswer(incoming).then(resolve, reject));
    outgoing.once('socket', (socket) => {
      whenOpen(socket, () => {
        if (!outgoing.destroyed) void speak();
      });
    });
  });
}

function whenOpen(socket: Socket, go: () => void): void {
  // A kept connection is handed over ready; a new TLS one is ready when the other side has proven who it is.
  const fresh =
    socket.connecting || (socket instanceof TLSSocket && !socket.authorized && socket.getProtocol() === null);
  if (!fresh) return go();
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', go);
}

async function readAnswer(incoming: IncomingMessage): Promise<HttpAnswer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming) {
    parts.push(part as Buffer); // a response without an encoding gives buffers
    bytes += (part as Buffer).length; // as above
    if (bytes > ANSWER_BYTES_MAX) break; // leaving the loop ends the connection
  }
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: incoming.statusCode ?? 0, headers: Object.fromEntries(headers), body: Buffer.concat(parts) };
}

function pathOf({ path, query = {} }: SignedRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
