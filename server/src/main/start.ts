import { queue } from '#features/outbox';
import { systemClock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { createListener } from '#platform/db/listener.ts';
import { notificationsArrive } from '#platform/db/notifications-arrive.ts';
import { reach } from '#platform/fault-points.ts';
import { type Service, startAll } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Role } from './arguments.ts';
import { closeHttpGently } from './close-http.ts';
import { composePosthorn, type Posthorn } from './compose.ts';
import { type FirstCredentials, sayCredentials, sayStart } from './first-start.ts';
import { createFence } from './fence/fence.ts';
import type { Hold } from './fence/hold-reasons.ts';
import { openInstance } from './instance/open-instance.ts';
import { explainListen, probePort } from './listen-faults.ts';
import { createUndoList, type UndoList } from './undo-list.ts';

export interface StartOptions {
  settings: Settings;
  roles: readonly Role[];
  log: Log;
  say(text: string): void;
  /** Gives the start up: it rejects once everything that it began has ended. */
  signal?: AbortSignal;
}

export interface RunningPosthorn {
  /** Where the API listens; undefined when this process has no such role. */
  url: string | undefined;
  /** Says that it runs and where: whoever hears it may stop it at once, so say it when that can be done. */
  sayStart(): void;
  /** Stops accepting, finishes what is in hand, gives the rest back. */
  stop(): Promise<void>;
}

/**
 * Everything a process is, started upward: database, schema, first start, services, and the listener last. A start that
 * fails at any step stops what it has started before it rejects.
 */
export async function startPosthorn(options: StartOptions): Promise<RunningPosthorn> {
  const { settings, roles, log, say } = options;
  if (roles.includes('api')) await probePort(settings);
  const undo = createUndoList(log);
  let credentials: FirstCredentials | null = null;
  try {
    const { findHold, ...posthorn } = await compose(options, undo);
    credentials = await posthorn.firstStart();
    await reach('start.after-first-start');
    options.signal?.throwIfAborted();
    const http = createHttp(posthorn, options);
    // At the end, the worker claims nothing more from the moment at which HTTP begins to close.
    const services = await startAll([...posthorn.services, [...posthorn.workers, http]], log);
    undo.add('services', services.stop);
    await reach('start.after-listen');
    options.signal?.throwIfAborted();
    const url = http.url();
    const relay = roles.includes('smtp') ? posthorn.relayState() : undefined;
    const hold = await findHold();
    const lines = { say, settings, roles, url, relay, credentials, hold };
    return { url, sayStart: () => sayStart(lines), stop: undo.stopAll };
  } catch (error) {
    // They are committed and shown at no later start.
    if (credentials !== null) sayCredentials(say, credentials);
    await undo.stopAll();
    throw explainListen(error, settings) ?? error;
  }
}

/** Its services have a pool of their own; the other one serves the steps of the start. */
const WORKER_ONLY_POOL = 2;
const isWorkerOnly = (roles: readonly Role[]): boolean => roles.every((role) => role === 'worker');

interface Composed extends Posthorn {
  /** Why nothing is sent, for the lines of the start. undefined: sending goes on, or the database did not answer. */
  findHold(): Promise<Hold | undefined>;
}

async function compose({ settings, roles, log, signal }: StartOptions, undo: UndoList): Promise<Composed> {
  const { db, url, directUrl, secrets } = await openInstance({
    settings,
    log,
    undo,
    signal,
    poolMax: isWorkerOnly(roles) ? WORKER_ONLY_POOL : settings.databasePool,
    applicationName: `posthorn ${roles.join(' ')}`,
  });
  const worker = openDatabase({
    url,
    poolMax: settings.workerDatabasePool,
    byIndex: true,
    applicationName: 'posthorn worker services',
    log,
  });
  undo.add('worker database', worker.close);
  const health = openDatabase({ url, poolMax: 1, applicationName: 'posthorn health', log });
  undo.add('health database', health.close);
  await warnWhenPooled(db, directUrl, log);
  const listener = createListener({ url: directUrl, log, clock: systemClock });
  const clock = systemClock;
  const metrics = createMetrics();
  const dbs = { db, workerDb: worker.db, healthDb: health.db };
  const parts = { ...dbs, listener, settings, secrets, clock, log, roles, metrics };
  const posthorn = await composePosthorn(parts);
  const fence = roles.includes('worker') ? createFence({ db: worker.db, log, clock, settings }) : undefined;
  // Before all others: it must have looked before anything is sent.
  const services = [listener, ...(fence === undefined ? [] : [fence]), ...posthorn.services];
  return {
    ...posthorn,
    services,
    // The process serves already: a database that is busy for two seconds must not end it for a line that it prints.
    findHold: () =>
      queue.hold.find(health.db).catch((error: unknown) => {
        log.warn({ err: error }, 'whether sending is held could not be read for the start; GET /health says it');
        return undefined;
      }),
  };
}

/** A probe that fails is no fault of the start: the listener connects again by itself. */
async function warnWhenPooled(db: Db, directUrl: string, log: Log): Promise<void> {
  const arrival = await notificationsArrive(db, { directUrl, clock: systemClock });
  if (arrival.outcome === 'lost')
    log.warn(
      'notifications of PostgreSQL do not arrive, so this process polls: set DATABASE_DIRECT_URL (npm start -- doctor)',
    );
  if (arrival.outcome === 'unknown')
    log.debug({ reason: arrival.reason }, 'whether notifications of PostgreSQL arrive could not be found out');
}

interface Http extends Service {
  /** With the port that was free when the setting says 0; undefined while it does not listen. */
  url(): string | undefined;
}

/** The listener of the API, for processes with that role; started last of all services. */
function createHttp({ app }: Posthorn, { settings, roles }: StartOptions): Http {
  const close = closeHttpGently(app, { clock: systemClock, stopSeconds: settings.stopSeconds });
  let url: string | undefined;
  return {
    name: 'http',
    url: () => url,
    async start() {
      await reach('start.after-services');
      if (!roles.includes('api')) return;
      await app.listen({ port: settings.port, host: settings.host });
      const address = app.server.address();
      const port = typeof address === 'object' && address !== null ? address.port : settings.port;
      url = `http://${settings.host}:${port}`;
    },
    stop: async () => (roles.includes('api') ? close() : undefined),
  };
}
