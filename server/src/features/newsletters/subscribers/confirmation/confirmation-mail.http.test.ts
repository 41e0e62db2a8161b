import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.ts';
import { aDomain, aNewsletter } from '../../../../../test/harness/builders.ts';
import { LANGUAGES, messagesOf } from '#features/reader-pages';
import { readLink } from '../../link-token.ts';
import { confirmationBody } from './confirmation-body.ts';

let api: TestApp;
before(async () => {
  api = await createTestApp({ worker: true, env: { POSTHORN_DASHBOARD_URL: 'https://news.example.com' } });
});
after(() => api.close());

interface Captured {
  id: string;
  to: string[];
  subject: string;
}

/** The captured message to an address, if there is one. */
async function capturedFor(email: string, key: string): Promise<{ id: string; raw: string }> {
  for (;;) {
    const listed = await api.request({ url: `/v1/captured-emails?to=${encodeURIComponent(email)}`, key });
    assert.equal(listed.status, 200, listed.text);
    const [found] = (listed.body as { data: Captured[] }).data;
    if (found !== undefined) {
      const raw = await api.request({ url: `/v1/captured-emails/${found.id}/raw`, key });
      return { id: found.id, raw: raw.text };
    }
  }
}

test('200 for the confirmation email among captured mail and emails, for whoever reads the mail of the workspace', async () => {
  const { id } = await aNewsletter(api.db, api.workspaceId, { name: 'Acme & Söhne Weekly', fromEmail: null });
  const email = `${newId()}@example.com`;
  const body = { email, name: 'Click http://evil.example now', source: 'http://evil.example' };
  const made = await api.request({ url: `/v1/newsletters/${id}/subscribers`, body });
  assert.equal(made.status, 201, made.text);
  const reader = await api.request({ url: '/v1/api-keys', body: { name: 'reads', scopes: ['emails:read'] } });
  const { key } = reader.body as { key: string };
  const { raw } = await capturedFor(email, key);
  const mail = await PostalMime.parse(raw);
  const header = (name: string): string | undefined => mail.headers.find((one) => one.key === name)?.value;

  assert.deepEqual([mail.from?.address, mail.from?.name], ['newsletter@posthorn.test', 'Acme & Söhne Weekly']);
  assert.deepEqual(mail.to, [{ address: email, name: '' }]);
  assert.equal(header('auto-submitted'), 'auto-generated');
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.match(raw, /^List-Id: =\?UTF-8\?Q\?Acme_\S+\?=\s+<[\w-]+\.posthorn\.test>\r$/m);
  assert.match(header('feedback-id') ?? '', /^confirmation:[\w-]{22}:[\w-]{22}:posthorn$/);
  assert.equal(header('precedence'), undefined, 'it goes to one person');
  const signed =
    /\bh=([^;]+);/
      .exec(header('dkim-signature')?.replace(/\s+/g, '') ?? '')?.[1]
      ?.toLowerCase()
      .split(':') ?? [];
  assert.ok(signed.includes('list-unsubscribe') && signed.includes('list-unsubscribe-post'), signed.join());
  const unsubscribe = /^<(https:\/\/news\.example\.com\/api\/n\/unsubscribe\?token=([^>]+))>$/.exec(
    header('list-unsubscribe') ?? '',
  );
  assert.ok(unsubscribe, header('list-unsubscribe'));
  for (const part of [mail.html ?? '', mail.text ?? '']) {
    const confirm = /https:\/\/news\.example\.com\/api\/n\/confirm\?token=([\w.-]+)/.exec(part)?.[1] ?? '';
    const claims = await readLink(api.secrets, 'nl_confirm', confirm, api.clock.now());
    assert.deepEqual(
      [claims?.subscriberId, claims?.newsletterId, claims?.generation],
      [(made.body as { id: string }).id, id, 0],
    );
    assert.ok(part.includes('/api/n/unsubscribe?token='), 'says no where it asks');
    assert.ok(!part.includes('evil.example'), 'no word that a stranger typed');
    assert.ok(part.includes('7 days'));
  }
  assert.ok(!raw.includes('/t/o/') && !raw.includes('/t/c/'), 'not tracked');
  assert.ok(!/<img|<link|@import|url\(/i.test(mail.html ?? ''), 'loads nothing');

  const emails = await api.request({ url: `/v1/emails?to=${encodeURIComponent(email)}`, key });
  const [row] = (emails.body as { data: { source: string; newsletter_id: string }[] }).data;
  assert.deepEqual([row?.source, row?.newsletter_id], ['confirmation', id]);
});

test('200 for one click in the confirmation email: a pending subscriber has left, and its other link brings nobody back', async () => {
  const { id } = await aNewsletter(api.db, api.workspaceId);
  const email = `${newId()}@example.com`;
  const made = await api.request({ url: `/v1/newsletters/${id}/subscribers`, body: { email } });
  const subscriber = `/v1/newsletters/${id}/subscribers/${(made.body as { id: string }).id}`;
  const { raw } = await capturedFor(email, api.key);
  const mail = await PostalMime.parse(raw);
  const linkTo = (text: string, path: string): string =>
    new RegExp(`https://news\\.example\\.com(/api/n/${path}\\?token=[\\w.-]+)`).exec(text)?.[1] ?? assert.fail(path);
  const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const click = await api.app.inject({
    method: 'POST',
    url: linkTo(header, 'unsubscribe'),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  assert.deepEqual(
    [click.statusCode, click.headers['location'], click.headers['set-cookie']],
    [200, undefined, undefined],
  );
  const left = await api.request({ url: subscriber });
  assert.partialDeepStrictEqual(left.body, { status: 'unsubscribed', metadata: { unsubscribe_reason: 'user' } });
  assert.equal((await api.app.inject({ url: linkTo(mail.text ?? '', 'confirm') })).statusCode, 400);
  assert.partialDeepStrictEqual((await api.request({ url: subscriber })).body, { status: 'unsubscribed' });
});

test('confirmation emails count in the caps of their domain, and are not refused when these are reached', async () => {
  const domainId = await aDomain(api.db, api.workspaceId, 'full.example', { daily: 0, monthly: 1 });
  const { id } = await aNewsletter(api.db, api.workspaceId, { fromEmail: 'news@full.example' });
  for (const email of ['one@example.com', 'two@example.com']) {
    const made = await api.request({ url: `/v1/newsletters/${id}/subscribers`, body: { email } });
    assert.equal(made.status, 201, made.text);
  }
  const { rows } = await sql<{ used: number }>`
    select used from usage_windows where workspace_id = ${api.workspaceId} and subject_id = ${domainId}`.execute(
    api.db,
  );
  assert.deepEqual(rows, [{ used: 2 }, { used: 2 }]);
  const mails = await sql`select from send_requests
    where workspace_id = ${api.workspaceId} and newsletter_id = ${id} and source = 'confirmation'`.execute(api.db);
  assert.equal(mails.rows.length, 2);
});

test('confirmation emails do not wait behind issues: they have the lane of transactional mail', async () => {
  const { id } = await aNewsletter(api.db, api.workspaceId);
  const email = `${newId()}@example.com`;
  await api.request({ url: `/v1/newsletters/${id}/subscribers`, body: { email } });
  await capturedFor(email, api.key);
  const { rows } = await sql<{ lane: number }>`
    select lane from emails where workspace_id = ${api.workspaceId} and recipient = ${email}`.execute(api.db);
  assert.deepEqual(rows, [{ lane: 1 }]); // issues have lane 2
});

test('the email says in every language who asks, what happens if it is ignored, and how long the link works', () => {
  for (const language of LANGUAGES) {
    const name = 'Mike <b>&</b> {days} "Weekly"';
    const links = { confirmUrl: 'https://x.example/c?token=1', unsubscribeUrl: 'https://x.example/u?token=2' };
    const mail = confirmationBody({ name, language, accentColor: '#ff0', logoUrl: null }, links);
    const texts = messagesOf(language).confirmationMail;
    assert.ok(mail.html.includes(`<html lang="${language}">`));
    assert.ok(mail.html.includes('Mike &lt;b&gt;&amp;&lt;/b&gt; {days} &quot;Weekly&quot;'), 'a name is text');
    assert.ok(mail.subject.includes(name) && mail.text.includes(name));
    for (const part of [mail.html, mail.text]) {
      assert.ok(part.includes(links.confirmUrl) && part.includes(links.unsubscribeUrl));
      assert.match(part, /7/);
    }
    assert.ok(mail.text.includes(texts.ignore), language);
    assert.ok(!/\{\w+\}/.test(mail.text.replaceAll('{days} "Weekly"', '')), 'no placeholder is left');
  }
});

test('the email shows the logo of the newsletter, a wide one in the width there is, and loads no other picture', () => {
  const links = { confirmUrl: 'https://x.example/c?token=1', unsubscribeUrl: 'https://x.example/u?token=2' };
  const htmlOf = (logoUrl: string | null): string =>
    confirmationBody({ name: 'Acme "Weekly"', language: 'en', accentColor: null, logoUrl }, links).html;
  const pictures = htmlOf('https://cdn.example/l.png?a=1&b=2').match(/<img[^>]*>/g) ?? [];
  assert.equal(pictures.length, 1);
  const [logo = ''] = pictures;
  assert.ok(
    logo.includes('src="https://cdn.example/l.png?a=1&amp;b=2"') && logo.includes('alt="Acme &quot;Weekly&quot;"'),
  );
  assert.ok(logo.includes('max-width:100%;max-height:40px') && logo.includes('height="40"'), logo);
  for (const none of [null, 'http://cdn.example/l.png', 'no address'])
    assert.ok(!htmlOf(none).includes('<img'), `${none}`);
});
