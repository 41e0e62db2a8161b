/** A sender domain on every path on which mail can start: the API, batches, issues, tests, confirmations, the relay. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetSenderDomains } from '#features/domains';
import { type Body, createIssuesApp, type IssuesApp } from '../../src/features/newsletters/issues/test-kit.ts';
import { aDomain } from '../harness/builders.ts';
import { rawMime } from '../harness/raw-messages.ts';
import { relayClient } from '../harness/relay-client.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp({ worker: true, relay: true });
});
after(() => t.close());

const post = async (url: string, body: unknown, key?: string | null): Promise<{ status: number; body: Body }> =>
  t.app.request({ url, body, ...(key === undefined ? {} : { key }) });
const emailTo = (domain: string, to: string) => ({ from: `a@${domain}`, to, subject: 'Hello', text: 'Hello' });
const domainOf = (name: string, daily: number | null = null) => aDomain(t.app.db, t.app.workspaceId, name, { daily });

/** With an id and an address of its own. The last reply of the relay. */
let made = 0;
async function relay(domain: string): Promise<string> {
  made += 1;
  const mime = rawMime('Hello\r\n')
    .toString('latin1')
    .replace('<4711@', `<${made}.4711@`)
    .replace(/^From:.*$/m, `From: a@${domain}`);
  const client = await relayClient(t.app.relayPort, t.app.key);
  try {
    return await client.send(Buffer.from(mime, 'latin1'), [`relayed-${made}@example.com`], `a@${domain}`);
  } finally {
    client.socket.destroy();
  }
}

const emailsFrom = async (domain: string): Promise<{ status: string; error: string | null }[]> => {
  const { rows } = await sql<{ status: string; error: string | null }>`
    select e.status, e.error from emails e
      join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
     where e.workspace_id = ${t.app.workspaceId} and k.from_domain = ${domain}`.execute(t.app.db);
  return rows;
};
const arrivedFrom = async (domain: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from captured_emails c join emails e on e.workspace_id = c.workspace_id and e.id = c.email_id
      join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
     where c.workspace_id = ${t.app.workspaceId} and k.from_domain = ${domain}`.execute(t.app.db);
  return rows[0]?.n ?? -1;
};
/** Nothing is handed over until the end of the work. */
async function whileNothingLeaves<T>(work: () => Promise<T>): Promise<T> {
  await sql`update send_pace set paused_until = now() + interval '10 minutes'`.execute(t.app.db);
  try {
    return await work();
  } finally {
    await sql`update send_pace set paused_until = null`.execute(t.app.db);
  }
}
const signUp = (slug: string, email: string) => post(`/api/n/${slug}/subscribe`, { email }, null);
const slugOf = async (newsletterId: string): Promise<string> => {
  const { rows } = await sql<{ slug: string }>`
    select slug from newsletters where workspace_id = ${t.app.workspaceId} and id = ${newsletterId}`.execute(t.app.db);
  return rows[0]?.slug ?? '';
};

test('from a domain that is not verified no path accepts mail, and none is queued', async () => {
  const domain = 'unverified.example';
  await aDomain(t.app.db, t.app.workspaceId, domain, { sendingEnabled: false });
  const newsletterId = await t.list(1, { fromEmail: `news@${domain}` });
  const issue = await t.draft(newsletterId);
  const at = `/v1/newsletters/${newsletterId}/issues/${issue.id}`;
  const refused = {
    send: await post('/v1/send', emailTo(domain, 'ada@example.com')),
    batch: await post('/v1/batch', [emailTo(domain, 'ada@example.com')]),
    issue: await post(`${at}/send`, {}),
    schedule: await post(`${at}/schedule`, { scheduled_for: new Date(Date.now() + 3_600_000).toISOString() }),
    'test of an issue': await post(`${at}/send-test`, { to: 'ada@example.com' }),
  };
  for (const [path, { status, body }] of Object.entries(refused)) {
    assert.deepEqual([status, body.name], [422, 'validation_error'], `${path}: ${JSON.stringify(body)}`);
  }
  assert.match(await relay(domain), /^550 5\.7\.1 .*unverified\.example/);
  const signedUp = await signUp(await slugOf(newsletterId), 'new@example.com');
  assert.equal(signedUp.status, 503, 'there is no email to confirm with');
  assert.deepEqual(await emailsFrom(domain), []);
});

test('mail that waits when its domain is deleted reaches nobody, on whichever path it was accepted', async () => {
  const domain = 'deleted.example';
  const id = await domainOf(domain);
  const newsletterId = await t.list(0, { fromEmail: `news@${domain}` });
  const issue = await t.draft(newsletterId);
  const accepted = await whileNothingLeaves(async () => {
    const replies = [
      await post('/v1/send', emailTo(domain, 'ada@example.com')),
      await post('/v1/batch', [emailTo(domain, 'bob@example.com')]),
      await post(`/v1/newsletters/${newsletterId}/issues/${issue.id}/send-test`, { to: 'cleo@example.com' }),
      await signUp(await slugOf(newsletterId), 'dora@example.com'),
    ];
    for (const { status, body } of replies) assert.ok(status < 300, JSON.stringify(body));
    assert.match(await relay(domain), /^250 /);
    const { length } = await emailsFrom(domain);
    const deleted = await t.app.request({ method: 'DELETE', url: `/v1/domains/${id}` });
    assert.equal(deleted.status, 200);
    return length;
  });
  assert.equal(accepted, 5);
  await t.until('all of them end', async () =>
    (await emailsFrom(domain)).every(({ status }) => ['failed', 'cancelled', 'rejected'].includes(status)),
  );
  const ended = await emailsFrom(domain);
  assert.deepEqual(new Set(ended.map(({ error }) => error)), new Set(['domain_unverified']));
  assert.equal(await arrivedFrom(domain), 0);
  for (const { status } of [await post('/v1/send', emailTo(domain, 'ada@example.com'))]) assert.equal(status, 422);
  assert.match(await relay(domain), /^550 5\.7\.1/);
});

test('at the limit of a domain twenty parallel sends over the API, batches, an issue and the relay take exactly the rest', async () => {
  const domain = 'limited.example';
  const limit = 13;
  const id = await domainOf(domain, limit);
  const newsletterId = await t.list(20, { fromEmail: `news@${domain}` });
  const issue = await t.draft(newsletterId);
  forgetSenderDomains(t.app.workspaceId);
  const sends = await Promise.all([
    post(`/v1/newsletters/${newsletterId}/issues/${issue.id}/send`, {}).then(() => 0),
    ...Array.from({ length: 8 }, async (_, n) =>
      (await post('/v1/send', emailTo(domain, `api${n}@example.com`))).status === 202 ? 1 : 0,
    ),
    ...Array.from({ length: 6 }, async (_, n) => {
      const { body } = await post('/v1/batch', [
        emailTo(domain, `batch${n}a@example.com`),
        emailTo(domain, `batch${n}b@example.com`),
      ]);
      return (body.results ?? []).filter(({ jobId }: Body) => typeof jobId === 'string').length;
    }),
    ...Array.from({ length: 6 }, async () => ((await relay(domain)).startsWith('250') ? 1 : 0)),
  ]);
  const taken = sends.reduce<number>((sum, one) => sum + one, 0);
  assert.ok(taken <= limit, `${taken} were taken`);
  const usage = async (): Promise<number> =>
    (((await t.app.request({ url: `/v1/domains/${id}` })).body as Body).data.usage.daily as number) ?? -1;
  await t.until('the issue reaches the limit', async () => (await usage()) === limit);
  await t.until('nothing waits', async () =>
    (await emailsFrom(domain)).every(({ status }) => !['queued', 'sending'].includes(status)),
  );
  const left = (await emailsFrom(domain)).filter(({ status }) => !['pending', 'paused'].includes(status));
  assert.equal(left.length, limit, JSON.stringify(left));
  assert.equal(await arrivedFrom(domain), limit);
});
