import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { FakeSns } from './fake-sns.ts';
import { chooseSesFaults, type SesFaultPlan, type SesFaultRule } from './ses-faults.ts';
import { answerOperation, operationOf, type SesAccount } from './ses-operations.ts';
import { queryError, RECEIPT_RULES } from './ses-receipt-rules.ts';
import { errorAnswer, type WireAnswer } from './ses-wire.ts';
import { simulatedEvents } from './ses-simulator.ts';

/** A message that was taken. */
export interface SesMessage {
  messageId: string;
  /** Milliseconds since the epoch, at receipt. */
  at: number;
  /** Bare address of the From header. */
  from: string;
  to: string[];
  mime: Buffer;
  tags: Record<string, string>;
  configurationSet: string | null;
}

export interface SesRequest {
  operation: string;
  /** As it was signed for. */
  region: string;
  /** When its head arrived, on the monotonic clock. */
  begunMs: number;
  path: string;
  headers: IncomingMessage['headers'];
  bytes: number;
}

export interface FakeSesOptions {
  port?: number;
  tls?: { cert: string; key: string };
  account?: Partial<SesAccount>;
  faults?: SesFaultPlan;
  /** False for long benches. */
  keepMessages?: boolean;
  /** Called when a SendEmail has arrived, before anything is answered. */
  onMessage?(message: SesMessage): void;
  /** Where what happens to each message is told, as the mailbox simulator would have it. */
  events?: { sns: FakeSns; url: string };
}

export interface FakeSes {
  readonly port: number;
  /** http(s)://127.0.0.1:port: what POSTHORN_SES_ENDPOINT is set to. */
  readonly endpoint: string;
  readonly account: SesAccount;
  readonly messages: readonly SesMessage[];
  /** Every request, written down on receipt, before it is answered. */
  readonly requests: readonly SesRequest[];
  readonly count: number;
  /** Connections accepted so far. */
  readonly connections: number;
  setFaults(plan: SesFaultPlan | undefined): void;
  /** Resolves when the next request has arrived in full and been written down. */
  nextRequest(): Promise<SesRequest>;
  /** Resolves when everything that was to be told has been told. */
  eventsTold(): Promise<void>;
  /** Ends kept connections that carry nothing, as a load balancer does; resolves when the other side has hung up. */
  dropIdle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Amazon SES, API v2, on loopback: the operations that we use, in the wire format of the real client, with an account
 * that can be changed and misbehaviour on demand.
 */
export async function startFakeSes(options: FakeSesOptions = {}): Promise<FakeSes> {
  const account: SesAccount = {
    maxSendRate: 14,
    max24HourSend: 50_000,
    sentLast24Hours: 0,
    productionAccess: true,
    sendingEnabled: true,
    enforcementStatus: 'HEALTHY',
    identities: {},
    configurationSets: { posthorn: [] },
    suppressed: {},
    receiptRules: null,
    ...options.account,
  };
  const messages: SesMessage[] = [];
  const requests: SesRequest[] = [];
  const sockets = new Set<Socket>();
  const telling = new Set<Promise<unknown>>();
  const waiting: ((request: SesRequest) => void)[] = [];
  let choose = options.faults && chooseSesFaults(options.faults);
  let count = 0;
  let connections = 0;

  const take = (body: Record<string, unknown>): string => {
    count += 1;
    const messageId = `0100${randomBytes(6).toString('hex')}-${randomBytes(4).toString('hex')}-0000-4000-8000-${randomBytes(6).toString('hex')}-000000`;
    const message = readMessage(body, messageId);
    options.onMessage?.(message);
    if (options.keepMessages !== false) messages.push(message);
    account.sentLast24Hours += message.to.length;
    const { events } = options;
    if (events !== undefined) {
      const told = tell(events, message).finally(() => telling.delete(told));
      telling.add(told);
    }
    return messageId;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const begunMs = performance.now();
    const path = request.url ?? '/';
    const operation = operationOf(request.method ?? '', path);
    const fault = choose?.(operation);
    if (fault?.act === 'drop') return void request.socket.destroy();
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request without an encoding gives buffers
    const bytes = Buffer.concat(parts);
    const { authorization } = request.headers;
    const region = SIGNED.exec(authorization ?? '')?.groups?.['region'] ?? '';
    const seen = { operation, region, begunMs, path, headers: request.headers, bytes: bytes.length };
    requests.push(seen);
    for (const resolve of waiting.splice(0)) resolve(seen);
    const answer = await answerOf({ operation, path, region, bytes }, fault);
    if (answer === 'drop') return void request.socket.destroy();
    if (answer === 'hang') return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  };

  const answerOf = async (
    asked: { operation: string; path: string; region: string; bytes: Buffer },
    fault: SesFaultRule | undefined,
  ): Promise<WireAnswer | 'drop' | 'hang'> => {
    if (asked.region === '')
      return errorAnswer(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
    if (fault?.act === 'hang') return 'hang';
    if (fault?.act === 'error') {
      const answerError = asked.operation === RECEIPT_RULES ? queryError : errorAnswer;
      return answerError(fault.status, fault.code, fault.message, fault.headers);
    }
    if (fault?.act === 'answer') return { status: fault.status, body: fault.body, headers: {} };
    if (fault?.act === 'hold') await fault.until;
    if (fault?.act === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const answer = answerOperation(asked, account, take);
    if (fault?.act === 'take-and-drop') return 'drop';
    if (fault?.act === 'take-and-hang') return 'hang';
    if (fault?.act === 'take-and-answer') return { status: fault.status, body: fault.body, headers: {} };
    return answer;
  };

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // The connection may be gone: whoever asked has given up.
    serve(request, response).catch(() => response.destroy());
  };
  const server: Server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    port,
    endpoint: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    account,
    messages,
    requests,
    get count() {
      return count;
    },
    get connections() {
      return connections;
    },
    setFaults(plan) {
      choose = plan && chooseSesFaults(plan);
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    async eventsTold() {
      while (telling.size > 0) await Promise.all(telling);
    },
    async dropIdle() {
      const open = [...sockets];
      for (const socket of open) socket.end();
      const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await Promise.all(open.filter((socket) => !socket.closed).map(closed));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Signature version 4 in a header, over ses; the signature itself is not computed again. */
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=[^/,\s]+\/\d{8}\/(?<region>[a-z0-9-]+)\/ses\/aws4_request, SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, Signature=[0-9a-f]{64}$/;

interface SendEmailBody {
  Content?: { Raw?: { Data?: string } };
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  EmailTags?: { Name: string; Value: string }[];
  ConfigurationSetName?: string;
}

function readMessage(given: Record<string, unknown>, messageId: string): SesMessage {
  const body = given as SendEmailBody; // checked by answerOperation
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = body.Destination ?? {};
  const mime = Buffer.from(body.Content?.Raw?.Data ?? '', 'base64');
  const head = mime.toString('latin1').split('\r\n\r\n')[0] ?? '';
  const from = /^from:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/im.exec(head)?.[1] ?? '';
  return {
    messageId,
    at: Date.now(),
    from: (/<([^>]*)>/.exec(from)?.[1] ?? from).trim(),
    to: [...ToAddresses, ...CcAddresses, ...BccAddresses],
    mime,
    tags: Object.fromEntries((body.EmailTags ?? []).map(({ Name, Value }) => [Name, Value])),
    configurationSet: body.ConfigurationSetName ?? null,
  };
}

async function tell({ sns, url }: { sns: FakeSns; url: string }, message: SesMessage): Promise<void> {
  for (const event of simulatedEvents(message)) {
    const notification = sns.notification(event);
    // As SNS: tried again when the endpoint does not say 2xx.
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await sns.post(url, notification).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) break;
    }
  }
}
