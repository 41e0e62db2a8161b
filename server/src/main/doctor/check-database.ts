import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { notificationsArrive } from '#platform/db/notifications-arrive.ts';
import { readServerFacts } from '../instance/queries.ts';
import { SERVER_FAULTS, serverFaults } from '../instance/server-faults.ts';
import { checkClock } from './check-clock.ts';
import { checkSending, SENDING } from './check-sending.ts';
import { about, type Finding, ok, skipped, trouble } from './finding.ts';
import { isMigrated } from './queries.ts';

export const DATABASE = about({
  id: 'database',
  looksAt:
    'Whether this PostgreSQL keeps what Posthorn accepts. A start makes the same check, except of data checksums.',
  troubles: {
    ...SERVER_FAULTS,
    unchecked: {
      status: 'warning',
      cause: 'PostgreSQL runs without data checksums: damage on the disk can stay unseen until a page is read wrong.',
      fix: 'Stop that server, run pg_checksums --enable on its data directory, and start it again. A hosted database has them, or gets them when it is made.',
    },
    empty: {
      status: 'error',
      cause: 'The database has no tables of Posthorn.',
      fix: 'Start Posthorn once with this DATABASE_URL, or correct the name of the database in it.',
    },
  },
});

export const NOTIFICATIONS = about({
  id: 'notifications',
  looksAt: 'Whether a notification of PostgreSQL (LISTEN and NOTIFY) arrives.',
  troubles: {
    pooled: {
      status: 'warning',
      cause:
        'DATABASE_URL leads to a pooler that does not pass notifications on, such as PgBouncer in transaction mode. Every process polls instead: mail and webhooks begin up to half a second later, and idle processes ask the database more often.',
      fix: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, for the same database.',
    },
    'not direct': {
      status: 'error',
      cause: 'DATABASE_DIRECT_URL leads to another database than DATABASE_URL, or to a pooler in transaction mode.',
      fix: 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, with the database that DATABASE_URL names.',
    },
    unreachable: {
      status: 'error',
      cause:
        'The connection that listens was refused or not answered within 1.5 seconds. It uses DATABASE_DIRECT_URL, or DATABASE_URL if that is not set.',
      fix: 'Correct DATABASE_DIRECT_URL, or raise max_connections of PostgreSQL if it has no connection left. If the server is only busy, run the doctor again.',
    },
  },
});

interface DatabaseCheckDeps {
  db: Db;
  settings: Settings;
  clock: Clock;
}

/** `isUsable`: the other checks can read from it. */
export async function checkDatabase(deps: DatabaseCheckDeps): Promise<{ findings: Finding[]; isUsable: boolean }> {
  const { db, settings } = deps;
  const facts = await readServerFacts(db);
  const faults = serverFaults(facts, settings.unsafeDatabase === 'allow');
  const name = `PostgreSQL ${Math.floor(facts.version / 10_000)}.${facts.version % 10_000}`;
  const findings = faults.map(({ kind, values }) => trouble(DATABASE, kind, `${name}.`, values));
  if (facts.dataChecksums === 'off') findings.push(trouble(DATABASE, 'unchecked', `${name}.`));
  const isTooOld = faults.some(({ kind }) => kind === 'too old');
  const isEmpty = !isTooOld && !(await isMigrated(db));
  if (isEmpty) findings.push(trouble(DATABASE, 'empty', `${name}.`));
  if (findings.length === 0) findings.push(ok(DATABASE, `${name} keeps what is accepted.`));
  const isUsable = !isTooOld && !isEmpty;
  const others = [await checkNotifications(deps), await checkClock(deps)];
  const sending = isUsable ? await checkSending(db) : skipped(SENDING, 'The database cannot be used.');
  return { findings: [...findings, ...others, sending], isUsable };
}

async function checkNotifications({ db, settings, clock }: DatabaseCheckDeps): Promise<Finding> {
  const { databaseUrl, databaseDirectUrl } = settings;
  const directUrl = databaseDirectUrl ?? databaseUrl;
  if (directUrl === null) return ok(NOTIFICATIONS, 'The embedded PostgreSQL has no pooler in front of it.');
  const arrival = await notificationsArrive(db, { directUrl, clock });
  if (arrival.outcome === 'arrived') return ok(NOTIFICATIONS, 'A notification arrived.');
  if (arrival.outcome === 'unknown')
    return trouble(NOTIFICATIONS, 'unreachable', `No notification could be sent: ${arrival.reason}.`);
  const kind = databaseDirectUrl === null ? 'pooled' : 'not direct';
  return trouble(NOTIFICATIONS, kind, 'A notification was sent and did not arrive.');
}
