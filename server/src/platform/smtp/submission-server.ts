/**
 * A server for the submission of mail (RFC 6409): smtp-server with the rules of a relay around it.
 *
 * A client signs in before it sends, on TLS or, where the rules allow it, from this machine. Its connection has a place
 * among those of its peer and of all, an end whatever it does, and so many mistakes. The bytes of a message take room
 * in a budget that all messages of the process share. Nothing is answered 250 before `accept` has returned.
 */
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { Moment } from '../moments.ts';
import type { CertificateSource } from './certificate-files.ts';
import { ConnectionPlaces } from './connection-places.ts';
import { takeProxyHeader } from './proxy-header.ts';
import { listenAgain, type SubmissionPorts } from './submission-ports.ts';
import type { SubmissionLimits, SubmissionRules } from './submission-rules.ts';
import { SubmissionEngine } from './submission-engine.ts';
import { SubmissionSessions } from './submission-sessions.ts';

/** A pool of a busy program has some 10 connections; a whole office may stand behind one address. */
const LIMITS: SubmissionLimits = {
  messageBytes: 40 * 1_024 * 1_024,
  recipients: 50,
  sessions: 500,
  sessionsOfPeer: 100,
  wrongPasswords: 5,
  refusals: 100,
  // A message for 50 recipients has some 55.
  commands: 1_000,
  signInMs: 60_000,
  messageMs: 600_000,
  idleMs: 300_000,
  proxyHeaderMs: 500,
  finishMs: 5_000,
};

export interface SubmissionOptions<User> {
  name: string;
  log: Log;
  clock: Clock;
  host: string;
  ports: SubmissionPorts;
  /** The name in its greeting. */
  hostname: string;
  certificate: CertificateSource;
  /** CIDRs of proxies whose PROXY header is believed. */
  isTrustedProxy(address: string): boolean;
  mayAuthInClear(address: string): boolean;
  rules: SubmissionRules<User>;
  limits?: Partial<SubmissionLimits>;
}

export interface SubmissionServer extends Service {
  /** Where it listens; null: it does not, or not yet. */
  readonly ports: SubmissionPorts;
  readonly moments: { sessionEnded: Moment };
}

export function createSubmissionServer<User>(options: SubmissionOptions<User>): SubmissionServer {
  const { name, log, certificate } = options;
  const limits = { ...LIMITS, ...options.limits };
  const moments = { sessionEnded: new Moment() };
  const ports: SubmissionPorts = { startTls: null, implicitTls: null };
  const places = new ConnectionPlaces(limits);
  const sessions = new SubmissionSessions(options, limits, () => moments.sessionEnded.occur());
  let stops: (() => void)[] = [];

  const open = async (kind: keyof SubmissionPorts, engine: SubmissionEngine): Promise<void> => {
    const wanted = options.ports[kind];
    if (wanted === null) return;
    const server = createServer((socket) => {
      admit(socket, engine, { ...options, limits, places, sessions }).catch((error: unknown) =>
        log.debug({ err: error, service: name }, 'a connection failed'),
      );
    });
    server.maxConnections = limits.sessions + SPARE_SOCKETS;
    const listener = listenAgain(server, { ...options, kind, port: wanted, onPort: (port) => (ports[kind] = port) });
    stops.push(listener.stop);
    await listener.first;
  };

  return {
    name,
    moments,
    ports,
    async start() {
      if (stops.length > 0) return;
      const first = await certificate.read();
      const engines = {
        startTls: new SubmissionEngine({ ...options, limits, certificate: first, sessions, isImplicitTls: false }),
        implicitTls: new SubmissionEngine({ ...options, limits, certificate: first, sessions, isImplicitTls: true }),
      };
      const watching = certificate.watch((changed) => {
        engines.startTls.updateSecureContext(changed);
        engines.implicitTls.updateSecureContext(changed);
      });
      stops.push(() => watching.cancel());
      await open('startTls', engines.startTls);
      await open('implicitTls', engines.implicitTls);
    },
    async stop() {
      const stopping = stops;
      stops = [];
      if (stopping.length === 0) return;
      for (const stop of stopping) stop();
      ports.startTls = null;
      ports.implicitTls = null;
      await sessions.stop();
    },
  };
}

/** Beyond the sessions there are connections that wait to be refused. */
const SPARE_SOCKETS = 50;

interface Admission extends Pick<SubmissionOptions<never>, 'clock' | 'isTrustedProxy'> {
  limits: SubmissionLimits;
  places: ConnectionPlaces;
  sessions: Pick<SubmissionSessions, 'begin' | 'isStopping'>;
}

/** Finds out whose connection it is, and gives it a place. */
async function admit(socket: Socket, engine: SubmissionEngine, admission: Admission): Promise<void> {
  const { clock, limits, places, sessions } = admission;
  socket.on('error', () => undefined); // the client went away: that is its good right
  let address = plainAddress(socket.remoteAddress);
  if (admission.isTrustedProxy(address)) {
    const header = await takeProxyHeader(socket, { clock, waitMs: limits.proxyHeaderMs });
    if (header.kind === 'malformed') return void socket.destroy();
    if (header.kind === 'header' && header.address !== null) address = plainAddress(header.address);
  }
  const giveBackPlace = sessions.isStopping ? undefined : places.take(address);
  if (giveBackPlace !== undefined) return sessions.begin(engine, socket, address, giveBackPlace);
  if (engine.isImplicitTls) socket.destroy();
  else socket.end('421 4.7.0 Too many connections, try again later\r\n', () => socket.destroySoon());
}

/** Without the zone of a link-local address, and IPv4 as IPv4 (a dual-stack socket says ::ffff:192.0.2.1). */
const plainAddress = (text: string | undefined): string =>
  (text ?? '0.0.0.0').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
