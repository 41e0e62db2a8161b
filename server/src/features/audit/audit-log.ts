import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { storableText } from '#platform/db/storable-text.ts';
import type { Actor } from '#platform/http/context.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { insertAuditEntries, listAuditEntriesOf, type NewAuditEntry } from './queries.ts';

/** An entry as the record it belongs to shows it. */
export interface AuditEntry {
  at: string;
  action: string;
  details?: Record<string, unknown>;
}

export interface AuditEvent {
  /** The action, such as `created`; the kind of thing it was done to is `targetType`. */
  action: string;
  targetType: string;
  targetId: string;
  /** The name of the record at this time, for a reader of all entries. `read` leaves it out. */
  targetName?: string | null;
  /** JSON. Never a secret, a token or a password. */
  details?: Record<string, unknown>;
  /** When it was done; now when left out. */
  at?: Date;
}

/** The actor and the place of the action: a ctx is one. */
export interface AuditSource {
  workspaceId: string;
  actor: Pick<Actor, 'type' | 'id' | 'email'>;
  ip: string | null;
}

export interface AuditLog extends Service {
  /**
   * Notes that something was done. It returns at once and never throws: the entry waits in memory and is written
   * within 50 ms. Entries that are not written when the process is killed are lost, and so are those that come while
   * 10,000 wait.
   */
  record(source: AuditSource, event: AuditEvent): void;
  /**
   * What was done to a record, in order. Whatever this process has recorded is there; what another one has recorded is
   * there about 100 ms later.
   */
  read(workspaceId: string, targetType: string, targetId: string): Promise<AuditEntry[]>;
  /** The same of several records of one type, in one statement; a record without entries has an empty list. */
  readAll(workspaceId: string, targetType: string, targetIds: readonly string[]): Promise<Map<string, AuditEntry[]>>;
  /** Writes what waits now, or tries to. */
  flush(): Promise<void>;
  readonly counts: { readonly written: number; readonly dropped: number; readonly waiting: number };
}

/** About 5 MB of entries: minutes of a busy process while the table cannot be written. */
const WAITING_MAX = 10_000;
const BATCH_MAX = 500;
const FLUSH_AFTER_MS = 50;
const TRIES = 5;
/** With five tries the longest wait is 800 ms. */
const RETRY_MAX_MS = 1_000;
/** How long a process that ends waits for the log. */
const STOP_MS = 2_000;
const DETAILS_CHARS_MAX = 20_000;
const RECORD_NAME = 'record_name';

export function createAuditLog({ db, log, clock }: { db: Db; log: Log; clock: Clock }): AuditLog {
  let written = 0;
  let dropped = 0;
  let isFull = false;

  const drop = (entries: readonly NewAuditEntry[], error: unknown): void => {
    dropped += entries.length;
    log.error({ err: error, lost: entries.length, dropped }, 'audit entries could not be written and are lost');
  };

  const writer = new BatchWriter<NewAuditEntry, number>({
    clock,
    log,
    delayMs: FLUSH_AFTER_MS,
    batchMax: BATCH_MAX,
    retryMaxMs: RETRY_MAX_MS,
    failure: 'audit entries wait; trying again',
    write: (batch) => insertAuditEntries(db, batch),
    after(_batch, count) {
      written += count;
      isFull = false;
    },
    judge(error, failures) {
      if (failures < TRIES) return 'again';
      // One entry that cannot be stored must not take the others with it.
      return isDatabaseUnavailable(error) ? 'lost' : 'apart';
    },
    lost: drop,
  });

  return {
    name: 'audit log',
    get counts() {
      return { written, dropped, waiting: writer.waiting };
    },
    record(source, event) {
      if (writer.waiting >= WAITING_MAX) {
        dropped += 1;
        if (!isFull) log.error({ waiting: writer.waiting }, 'the audit log is full: entries are lost');
        isFull = true;
        return;
      }
      writer.add(entryOf(source, event, { now: clock.now(), log }));
    },
    async read(workspaceId, targetType, targetId) {
      return (await this.readAll(workspaceId, targetType, [targetId])).get(targetId) ?? [];
    },
    async readAll(workspaceId, targetType, targetIds) {
      await writer.flush();
      return entriesOf(db, workspaceId, targetType, targetIds);
    },
    flush: () => writer.flush(),
    async start() {},
    async stop() {
      if (await writer.drain(STOP_MS)) return;
      const left = writer.clear();
      if (left.length > 0) drop(left, new Error('the process ended'));
    },
  };
}

const entryOf = (source: AuditSource, event: AuditEvent, { now, log }: { now: Date; log: Log }): NewAuditEntry => ({
  workspaceId: source.workspaceId,
  at: event.at ?? now,
  actorType: source.actor.type,
  actorId: source.actor.id,
  actorEmail: source.actor.email,
  ip: source.ip,
  action: event.action,
  targetType: event.targetType,
  targetId: event.targetId,
  details: storable(named(event), log),
});

/** In the details, because an entry outlives its record. */
const named = ({ details, targetName }: AuditEvent): Record<string, unknown> | undefined =>
  targetName == null || targetName === '' ? details : { ...details, [RECORD_NAME]: targetName };

function unnamed(details: Record<string, unknown>): Record<string, unknown> {
  const { [RECORD_NAME]: _name, ...others } = details;
  return others;
}

async function entriesOf(
  db: Db,
  workspaceId: string,
  targetType: string,
  targetIds: readonly string[],
): Promise<Map<string, AuditEntry[]>> {
  const found = new Map<string, AuditEntry[]>(targetIds.map((id) => [id, []]));
  for (const row of await listAuditEntriesOf(db, workspaceId, targetType, targetIds)) {
    const entry = { at: row.at.toISOString(), action: row.action };
    found.get(row.targetId)?.push(row.details === null ? entry : { ...entry, details: unnamed(row.details) });
  }
  return found;
}

/** As it is now, not as it may be changed until it is written; without what PostgreSQL cannot store in JSON. */
function storable(details: Record<string, unknown> | undefined, log: Log): string | null {
  if (details === undefined) return null;
  try {
    const text = JSON.stringify(details, (_name, value: unknown) =>
      typeof value === 'string' ? storableText(value) : value,
    );
    return text.length <= DETAILS_CHARS_MAX ? text : JSON.stringify({ truncated: true });
  } catch (error) {
    log.warn({ err: error }, 'details of an audit entry are no JSON');
    return null;
  }
}
