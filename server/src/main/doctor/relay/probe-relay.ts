import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

export interface RelayPort {
  host: string;
  port: number;
  isImplicitTls: boolean;
}

/** `greeting`: what a program there says first. `certificate`: null when no encrypted connection came about. */
export type RelayProbe =
  | { kind: 'answers'; greeting: string; certificate: X509Certificate | null }
  /** Nobody listens; `code` of the attempt to do so, null when it could be done. */
  | { kind: 'nobody'; code: string | null };

const ANSWER_MS_MAX = 2_000;

/** Looks at a port of the relay as a client does, up to the handshake. It never rejects. */
export async function probeRelay(at: RelayPort): Promise<RelayProbe> {
  const socket = connect({ port: at.port, host: reachable(at.host) });
  try {
    await once(socket, 'connect', soon());
  } catch {
    return { kind: 'nobody', code: await tryToListen(at) };
  }
  try {
    return await (at.isImplicitTls ? overTls(socket) : overStartTls(socket));
  } finally {
    socket.destroy();
  }
}

const soon = () => ({ signal: AbortSignal.timeout(ANSWER_MS_MAX) });

/** Where a program on this machine finds a listener on all addresses. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

async function overStartTls(socket: Socket): Promise<RelayProbe> {
  const greeting = await replyOf(socket);
  if (!greeting.startsWith('220')) return { kind: 'answers', greeting, certificate: null };
  for (const command of ['EHLO doctor.invalid', 'STARTTLS']) {
    socket.write(`${command}\r\n`);
    if (!(await replyOf(socket)).startsWith('2')) return { kind: 'answers', greeting, certificate: null };
  }
  return { kind: 'answers', greeting, certificate: (await handshake(socket))?.certificate ?? null };
}

async function overTls(socket: Socket): Promise<RelayProbe> {
  const secure = await handshake(socket);
  if (secure === null) return { kind: 'answers', greeting: '', certificate: null };
  return { kind: 'answers', greeting: await replyOf(secure.socket), certificate: secure.certificate };
}

/** Whether the certificate is good is judged by its file. */
async function handshake(socket: Socket): Promise<{ socket: Socket; certificate: X509Certificate } | null> {
  const secure = tlsConnect({ socket, rejectUnauthorized: false });
  try {
    await once(secure, 'secureConnect', soon());
    return { socket: secure, certificate: new X509Certificate(secure.getPeerCertificate().raw) };
  } catch {
    return null;
  }
}

/** The next whole reply, or the first line of something else; empty when none came. */
async function replyOf(socket: Socket): Promise<string> {
  const { signal } = soon();
  let text = '';
  try {
    while (!/^\d{3} .*\r\n$/m.test(text) && !/^(?!\d{3}-).*\r\n/.test(text)) {
      const [chunk]: unknown[] = await once(socket, 'data', { signal });
      text += String(chunk);
    }
    return text;
  } catch {
    return '';
  }
}

async function tryToListen({ host, port }: RelayPort): Promise<string | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error); // Node's listen throws it
  } finally {
    server.close();
  }
}
