import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { createSmtpProvider } from '#providers/smtp/smtp-provider.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startSmtpSink } from '../harness/smtp-sink.ts';
import { until } from '../harness/until.ts';
import { aWorker, aWorkspace, queued, stateOf } from '../../src/features/outbox/test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

/** The next record of a beginning fails as when the database goes away, and the ones after it succeed. */
const failNextRecord = async (): Promise<void> => {
  await sql`create sequence records`.execute(t.db);
  await sql`create function fail_once() returns trigger language plpgsql as $$
    begin
      if nextval('records') = 1 then raise exception 'going away' using errcode = '57P01'; end if;
      return new;
    end $$`.execute(t.db);
  await sql`create trigger fail_once before update on emails for each row
    when (old.handoff_at is null and new.handoff_at is not null) execute function fail_once()`.execute(t.db);
};

test('an email whose beginning could not be put on record does not leave over a second connection either', async () => {
  const ws = await aWorkspace(t.db);
  const sink = await startSmtpSink({ faults: { rules: [{ at: 'mail', act: 'drop', after: 1, times: 1 }] } });
  const server = { host: '127.0.0.1', port: sink.port, tls: 'none', auth: null, ehloName: null } as const;
  const settings = { ...server, connections: 1, messagesPerConnection: 100 };
  const provider = createSmtpProvider(settings, { log: createLog({ level: 'silent' }) });
  await provider.start();
  const worker = aWorker(t.db, provider, { ratePerSecond: 20 });
  await worker.start();
  const sent = async (id: string): Promise<true> =>
    until('the end', async () => ((await stateOf(t.db, ws, id)).status === 'sent' ? true : undefined));

  const [first = ''] = await queued(t.db, ws, 'transactional', ['ada@example.com']);
  await sent(first);
  await failNextRecord();
  const [second = ''] = await queued(t.db, ws, 'bulk', ['ben@example.com']);
  await sent(second);
  await worker.stop();
  await provider.stop();
  await sink.stop();
  const { records } = await stateOf(t.db, ws, second);
  const copies = sink.messages.filter((message) => JSON.stringify(message).includes('ben@example.com')).length;
  assert.deepEqual({ copies, records }, { copies: 1, records: [] });
});
