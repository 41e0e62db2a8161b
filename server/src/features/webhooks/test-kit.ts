/** Helpers that the tests of this feature share: a receiver on loopback, and people with roles. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { TestApp } from '../../../test/harness/app.ts';

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders;
  raw: string;
}

export interface Receiver {
  url: string;
  received: ReceivedDelivery[];
  /** How it answers from now on. */
  answerWith(answer: RequestListener): void;
  close(): Promise<void>;
}

/** Keeps what it is sent; answers 200 `ok` until told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedDelivery[] = [];
  let answer: RequestListener = (_request, response) => response.end('ok');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, raw: Buffer.concat(chunks).toString('utf8') });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP listener has one
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answerWith: (next) => void (answer = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The way the documentation tells receivers to do it, without their tolerance of time. */
export function isSignedWith(secret: string, { headers, raw }: ReceivedDelivery): boolean {
  const header = String(headers['x-service-signature']);
  const t = /^t=(\d+),/.exec(header)?.[1] ?? '';
  const mine = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
  return t === headers['x-service-timestamp'] && header.split(',').includes(`v1=${mine}`);
}

/** A dashboard token of a new person with this role. The installation must be open for registration. */
export async function tokenWithRole(app: TestApp, role: string): Promise<string> {
  const person = { email: `a.${role}@example.com`, password: `a password of the ${role}` };
  await app.request({ url: '/auth/register', key: null, body: person });
  await sql`insert into members (workspace_id, user_id, role)
    select ${app.workspaceId}, id, ${role} from users where email = ${person.email}`.execute(app.db);
  const answer = await app.request({
    url: '/auth/login',
    key: null,
    body: { ...person, workspace_id: app.workspaceId },
  });
  return (answer.body as { token: string }).token; // the response check has held it against its schema
}
