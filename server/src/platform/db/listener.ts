import pg from 'pg';
import type { Clock, Timer } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';

export interface Listener extends Service {
  /** Calls `handler` for each notification on `channel`, and once with undefined after a lost connection is back. */
  on(channel: string, handler: Handler): void;
}

type Handler = (payload: string | undefined) => void;

const RECONNECT_MS = 500;

/**
 * The one connection of this process that listens (LISTEN cannot go through a transaction pooler). Notifications are
 * hints: while the connection is lost they are missed, so everything that listens also polls.
 */
export function createListener(options: { url: string; log: Log; clock: Clock }): Listener {
  const handlers = new Map<string, Handler[]>();
  let client: pg.Client | undefined;
  let timer: Timer | undefined;
  let stopped = true;

  const tell = (list: readonly Handler[], payload: string | undefined): void => tellEach(options.log, list, payload);

  const lost = (failed: pg.Client): void => {
    if (client !== failed) return;
    client = undefined;
    failed.end().catch(() => undefined); // it is gone already; only its socket is to be freed
    if (!stopped) timer = options.clock.timer(RECONNECT_MS, () => void connect(true));
  };

  const connect = async (again: boolean): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: options.url,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
      application_name: 'posthorn listener',
    });
    client = fresh;
    fresh.on('error', () => lost(fresh));
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', (message) => {
      tell(handlers.get(message.channel) ?? [], message.payload);
    });
    try {
      await fresh.connect();
      for (const channel of handlers.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (again) tell([...handlers.values()].flat(), undefined);
    } catch (error) {
      options.log.debug({ err: error }, 'the listening connection is not there yet');
      lost(fresh);
    }
  };

  return {
    name: 'database listener',
    on(channel, handler) {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler]);
      client?.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => undefined); // made again on reconnect
    },
    async start() {
      if (!stopped) return;
      stopped = false;
      await connect(false);
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      const open = client;
      client = undefined;
      await open?.end().catch(() => undefined); // a connection that is gone is as good as ended
    },
  };
}

/** A handler that throws must not end the process, nor keep the others from hearing. */
function tellEach(log: Log, handlers: readonly Handler[], payload: string | undefined): void {
  for (const handler of handlers) {
    try {
      handler(payload);
    } catch (error) {
      log.error({ err: error }, 'a notification could not be handled');
    }
  }
}
