/**
 * nginx and Caddy (Debian packages) with the files of docs/examples/deploy, on loopback and from a temporary folder:
 * nothing of an installed one is read or changed. A file is changed only where a machine would be: ports, the paths of
 * the certificate, and the address of Posthorn. Each must be in the file just once, or the start fails.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './posthorn-process.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const FILES = path.join(import.meta.dirname, '../../../docs/examples/deploy');
const LOOK_EVERY_MS = 50;

/** The host that the files name. */
export const DEPLOYED_HOST = 'mail.example.com';
/** The address that a visitor comes from: the proxy itself is 127.0.0.1 for Posthorn. */
export const VISITOR = '127.0.0.2';

interface DeployedRequest extends Omit<RequestOptions, 'headers'> {
  plain?: boolean;
  headers?: Readonly<Record<string, string>>;
}

export interface DeployedProxy {
  /** Begins a request to the host over TLS, or over plain HTTP, from the address of a visitor. */
  begin(pathname: string, options?: DeployedRequest): ReturnType<typeof overHttp>;
  stop(): Promise<void>;
}

export type ProxyName = 'nginx' | 'caddy';

export async function startDeployedProxy(name: ProxyName, upstreamPort: number): Promise<DeployedProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), `deployed-${name}-`));
  const [http, https] = [await freePort(), await freePort()];
  const given: Given = { folder, http, https, upstreamPort };
  const [program, ...args] = await (name === 'nginx' ? writeNginx(given) : writeCaddy(given));
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
  await untilListening(child, https, () => said);
  return {
    begin(pathname, { plain = false, ...options } = {}) {
      const to = { host: '127.0.0.1', localAddress: VISITOR, path: pathname, agent: false, ...options };
      const headers = { host: DEPLOYED_HOST, ...options.headers };
      if (plain) return overHttp({ ...to, port: http, headers });
      // Both certificates are signed by nobody whom this process knows.
      return overHttps({ ...to, port: https, headers, servername: DEPLOYED_HOST, rejectUnauthorized: false });
    },
    async stop() {
      const gone = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await gone;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The answer of a request that is ended here. */
export async function answerOf(
  request: ReturnType<typeof overHttp>,
  body?: string | Buffer,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  );
  request.end(body);
  const answer = await answered;
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += String(part);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

interface Given {
  folder: string;
  http: number;
  https: number;
  upstreamPort: number;
}

async function deployed(file: string, changes: readonly (readonly [string, string])[]): Promise<string> {
  let text = await readFile(path.join(FILES, file), 'utf8');
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`${file} must have ${from} just once`);
    text = text.replace(from, to);
  }
  return text;
}

async function writeNginx({ folder, http, https, upstreamPort }: Given): Promise<[string, ...string[]]> {
  const at = (file: string): string => path.join(folder, file);
  const { cert, key } = selfSignedCertificate();
  await writeFile(at('fullchain.pem'), cert);
  await writeFile(at('privkey.pem'), key);
  const live = `/etc/letsencrypt/live/${DEPLOYED_HOST}`;
  await writeFile(
    at('posthorn.conf'),
    await deployed('nginx.conf', [
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`],
      [`${live}/fullchain.pem`, at('fullchain.pem')],
      [`${live}/privkey.pem`, at('privkey.pem')],
      ['http://127.0.0.1:3000;', `http://127.0.0.1:${upstreamPort};`],
    ]),
  );
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // As the nginx.conf of the package: the file is included in its http block. As root, workers stay root here, for the
  // folder of the test is nobody else's.
  await writeFile(
    at('nginx.conf'),
    `daemon off;
pid ${at('nginx.pid')};
error_log stderr warn;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 64; }
http {
  access_log ${at('access.log')};
  ${folders.map((name) => `${name}_temp_path ${at(name)};`).join('\n  ')}
  include ${at('posthorn.conf')};
}
`,
  );
  return ['nginx', '-e', 'stderr', '-c', at('nginx.conf')];
}

async function writeCaddy({ folder, http, https, upstreamPort }: Given): Promise<[string, ...string[]]> {
  const at = (file: string): string => path.join(folder, file);
  await writeFile(
    at('site.caddy'),
    await deployed('Caddyfile', [['reverse_proxy 127.0.0.1:3000', `reverse_proxy 127.0.0.1:${upstreamPort}`]]),
  );
  // A certificate of its own authority: nobody is asked for one.
  await writeFile(
    at('Caddyfile'),
    `{
	admin off
	http_port ${http}
	https_port ${https}
	default_bind 127.0.0.1
	local_certs
	skip_install_trust
	storage file_system ${at('storage')}
}
import ${at('site.caddy')}
`,
  );
  return ['caddy', 'run', '--config', at('Caddyfile'), '--adapter', 'caddyfile'];
}

async function untilListening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy did not start: ${said()}`);
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    );
    socket.destroy();
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
