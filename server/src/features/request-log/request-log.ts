import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import type { ServedRequest } from '#platform/http/ports.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { createFloodGuard } from './flood-guard.ts';
import { insertRequests, type NewRequest } from './queries.ts';
import { entryOf, isLogged } from './request-entry.ts';

export interface RequestLog extends Service {
  /**
   * Notes a request that was answered. It never throws and waits for nothing: the entry is written within a quarter of
   * a second. Requests that come too fast, or while 1,000 wait, are passed over and counted.
   */
  note(served: ServedRequest): void;
  /** Writes what waits now, or tries to. */
  flush(): Promise<void>;
}

/** At most about 17 MB, 17 KB each. */
const WAITING_MAX = 1_000;
const BATCH_MAX = 200;
const FLUSH_AFTER_MS = 250;
const TRIES = 5;
const RETRY_MAX_MS = 1_000;
const STOP_MS = 1_000;

export interface RequestLogWiring {
  db: Db;
  clock: Clock;
  log: Log;
  /** Counts entries that are not kept, with the reason. */
  dropped(reason: 'rate' | 'full' | 'failed', count: number): void;
}

export function createRequestLog({ db, clock, log, dropped }: RequestLogWiring): RequestLog {
  const guard = createFloodGuard(clock);
  const writer = new BatchWriter<NewRequest>({
    clock,
    log,
    delayMs: FLUSH_AFTER_MS,
    batchMax: BATCH_MAX,
    retryMaxMs: RETRY_MAX_MS,
    failure: 'entries of the request log wait; trying again',
    write: (batch) => insertRequests(db, batch),
    judge(error, failures) {
      if (failures < TRIES) return 'again';
      return isDatabaseUnavailable(error) ? 'lost' : 'apart';
    },
    lost: (entries, error) => {
      dropped('failed', entries.length);
      log.warn({ err: error, lost: entries.length }, 'entries of the request log could not be written and are lost');
    },
  });

  const add = (served: ServedRequest, workspaceId: string): void => {
    if (!guard.admits(workspaceId, served.status >= 400)) dropped('rate', 1);
    else if (writer.waiting >= WAITING_MAX) dropped('full', 1);
    else writer.add(entryOf(served, workspaceId, clock.now()));
  };

  return {
    name: 'request log',
    note(served) {
      if (!isLogged(served)) return;
      const { workspaceId } = served.request.actor;
      if (workspaceId === null) return;
      try {
        add(served, workspaceId);
      } catch (error) {
        // The answer is sent: a body that cannot be shown must not become a failure of its request.
        dropped('failed', 1);
        log.warn({ err: error, requestId: served.request.id }, 'a request could not be logged');
      }
    },
    flush: () => writer.flush(),
    async start() {},
    async stop() {
      if (!(await writer.drain(STOP_MS))) dropped('failed', writer.clear().length);
    },
  };
}
