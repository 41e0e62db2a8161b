/**
 * A bounce from end to end, with a mail server that none of us wrote: Posthorn hands an email to Postfix, Postfix
 * finds that it cannot be delivered and writes to the return path, and what it writes becomes the email's state, a
 * suppression and a webhook.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Delivery, type Postfix, postfixMissing, startPostfix } from '../harness/postfix.ts';
import { freePort, type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';

suite('bounces of a real Postfix', { skip: postfixMissing }, () => {
  let database: TestDatabase;
  let postfix: Postfix;
  let posthorn: PosthornProcess;
  before(async () => {
    database = await createTestDatabase();
    const port = await freePort();
    postfix = await startPostfix({ returns: { domain: 'bounces.example.org', port } });
    posthorn = await startProcess({
      databaseUrl: database.url,
      env: {
        POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${postfix.port}`,
        POSTHORN_BOUNCE_DOMAIN: 'bounces.example.org',
        POSTHORN_INBOUND_SMTP_PORT: String(port),
      },
    });
    await sql`insert into webhooks (workspace_id, id, url, events, secret)
      select id, gen_random_uuid(), 'https://receiver.example/hook', array['bounce'], '\\x00' from workspaces`.execute(
      database.db,
    );
  });
  after(async () => {
    await posthorn?.stop();
    await postfix?.stop();
    await database?.close();
  });

  async function send(body: object): Promise<string> {
    const answer = await posthorn.fetch('/v1/send', {
      body: { from: 'hello@posthorn.test', subject: 'Hello', text: 'Hello', ...body },
    });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const { emails, id } = answer.body as { id: string; emails?: { id: string }[] }; // as documented
    return emails?.[0]?.id ?? id;
  }

  /** Until the email is in this state; then all of it. */
  async function emailIn(id: string, status: string): Promise<any> {
    const startedMs = performance.now();
    for (;;) {
      const { body } = (await posthorn.fetch(`/v1/emails/${id}`)) as { body: any }; // a test reads fields of many shapes
      if (body.status === status) return body;
      assert.ok(performance.now() - startedMs < 30_000, `it is ${body.status}; ${posthorn.output()}`);
      await new Promise(setImmediate);
    }
  }

  const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> => (await query.execute(database.db)).rows;

  test('mail to nobody ends as bounced, with a suppression and a webhook', async () => {
    const id = await send({ to: 'Nobody@gone.example' });
    const email = await emailIn(id, 'bounced');
    const bounce = email.events.find((event: any) => event.type === 'bounce');
    assert.partialDeepStrictEqual(bounce.event_data.bounce, {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      reportingMTA: 'dns; postfix.example.net',
    });
    assert.deepEqual(await rowsOf(sql<any>`select email, reason from suppressions`), [
      { email: 'nobody@gone.example', reason: 'hard_bounce' },
    ]);
    assert.equal((await rowsOf(sql<any>`select id from webhook_deliveries where event_type = 'bounce'`)).length, 1);
    assert.deepEqual(await rowsOf(sql<any>`select source, outcome from provider_notifications`), [
      { source: 'mail', outcome: 'applied' },
    ]);
  });

  // Each recipient of a grouped message knows its return path, so such a message is no proof (decision 0053).
  test('a bounce of a grouped message names the one who is not there, and suppresses nobody', async () => {
    const id = await send({ to: ['ada@example.net'], cc: ['Gone@gone.example'] });
    const email = await emailIn(id, 'bounced');
    const bounces = email.events.filter((event: any) => event.type === 'bounce');
    assert.deepEqual(
      bounces.map(({ event_data: { bounce } }: any) => [
        bounce.bounceType,
        bounce.bouncedRecipients.map((one: any) => one.emailAddress),
      ]),
      [['Transient', ['Gone@gone.example']]],
    );
    const suppressed = await rowsOf(sql<any>`select email from suppressions order by email`);
    assert.deepEqual(suppressed, [{ email: 'nobody@gone.example' }]);
    const startedMs = performance.now();
    let copy: Delivery | undefined;
    while (copy === undefined) {
      assert.ok(performance.now() - startedMs < 30_000, 'the other copy was not delivered');
      [copy] = (await postfix.deliveries()).filter((one) => one.message.includes(id));
    }
    assert.match(copy.from, /^b[a-z2-7]{63}@bounces\.example\.org$/);
  });

  test('a warning that mail is late makes it delayed, and suppresses nobody', async () => {
    const id = await send({ to: 'ada@late.example' });
    const email = await emailIn(id, 'delivery_delayed');
    assert.ok(email.events.some((event: any) => event.type === 'delivery_delay'));
    assert.deepEqual(await rowsOf(sql<any>`select email from suppressions where email like '%late.example'`), []);
  });
});
