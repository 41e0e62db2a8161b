/** Machines that send the mail of a database or of its copy: real starts of the program, each with an SMTP server. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { type RunningPosthorn, startPosthorn } from '../../src/main/start.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { testSettings, TEST_KEY } from './app-settings.ts';
import { temporaryFolder } from './data-dir.ts';
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts';
import { undoAfter } from './undo.ts';
import { until } from './until.ts';

export const silent = createLog({ level: 'silent' });
export const EMAIL = { from: 'hello@posthorn.test', subject: 'Reminder', text: 'Hello' };

export interface Machine {
  settings: Settings;
  sink: SmtpSink;
  folder: string;
}

/** The machine that sends the mail of a database. */
export async function aMachine(t: TestContext, databaseUrl: string): Promise<Machine> {
  const sink = await startSmtpSink();
  undoAfter(t, () => sink.stop());
  const folder = temporaryFolder(t);
  const settings = testSettings(databaseUrl, TEST_KEY, {
    POSTHORN_PROVIDER_URL: `${sink.url}?tls=none`,
    POSTHORN_DATA_DIR: folder,
    POSTHORN_UNSAFE_DATABASE: 'allow',
    POSTHORN_SMTP_RELAY_PORT: '0',
    POSTHORN_SMTP_RELAYS_PORT: '0',
    POSTHORN_INBOUND_SMTP_PORT: '0',
    POSTHORN_DASHBOARD_FILES: 'none',
    POSTHORN_HOST: '127.0.0.1',
    PORT: '0',
  });
  return { settings, sink, folder };
}

export async function startMachine(
  t: TestContext,
  { settings }: Machine,
): Promise<RunningPosthorn & { said(): string }> {
  const said: string[] = [];
  const running = await startPosthorn({
    settings,
    roles: ['api', 'worker'],
    log: silent,
    say: (text) => void said.push(text),
  });
  running.sayStart();
  undoAfter(t, () => running.stop());
  return { ...running, said: () => said.join('\n') };
}

/** Returns the answer. */
export async function post({ url }: RunningPosthorn, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text);
}

/** The worker has asked for slots often enough to have sent everything that waits. */
export async function afterManyLooks(db: Db): Promise<void> {
  const commits = async (): Promise<number> =>
    (
      await sql<{ n: number }>`select xact_commit::float8 as n from pg_stat_database
        where datname = current_database()`.execute(db)
    ).rows[0]?.n ?? 0;
  const before = await commits();
  await until('twenty statements', async () => ((await commits()) > before + 20 ? true : undefined));
}

export const makeDue = (db: Db, subject: string, hours: number) =>
  sql`update scheduled_emails set scheduled_for = clock_timestamp() - make_interval(hours => ${hours})
    where body->>'subject' = ${subject}`.execute(db);

export const recipients = ({ sink }: Machine): string[] => sink.messages.flatMap(({ to }) => to).sort();
