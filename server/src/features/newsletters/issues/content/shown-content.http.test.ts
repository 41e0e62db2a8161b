/** The content that the record of an issue's email shows: as its reader gets it, without what would act for them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' } });
});
after(() => t.close());

/** The email of the only reader of a new issue: what was captured, and what its record says. */
async function sentTo(issue: object): Promise<{ emailId: string; mime: Buffer; shown: Body }> {
  const newsletterId = await t.list(1);
  const draft = await t.draft(newsletterId, issue);
  assert.equal((await t.call('POST', `/${newsletterId}/issues/${draft.id}/send`)).status, 202);
  let found: { emailId: string; mime: Buffer } | undefined;
  await t.until('the email was handed over', async () => {
    const { rows } = await sql<{ emailId: string; mime: Buffer }>`
      select c.email_id as "emailId", c.mime from captured_emails c
        join emails e on e.workspace_id = c.workspace_id and e.id = c.email_id
        join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
       where c.workspace_id = ${t.app.workspaceId} and s.issue_id = ${draft.id}`.execute(t.app.db);
    [found] = rows;
    return found !== undefined;
  });
  assert.ok(found !== undefined);
  return { ...found, shown: await contentOf(found.emailId) };
}

const contentOf = async (emailId: string): Promise<Body> => {
  const { status, body, text } = await t.app.request({ url: `/v1/emails/${emailId}/content` });
  assert.equal(status, 200, text);
  return body;
};

const withoutTokens = (text: string): string =>
  text
    .replace(/(\?token=)[\w.-]+/g, '$1hidden')
    .replaceAll('\r\n', '\n')
    .trimEnd();

for (const [name, subject] of [
  ['with Liquid', 'Hi {{ subscriber.name | upcase }}'],
  ['without', 'Hi'],
] as const) {
  test(`200 with html, text and headers as the reader of an issue ${name} got them, their tokens hidden`, async () => {
    const { shown, mime } = await sentTo({ subject, html_body: '<p>News</p>', preheader: 'Pre' });
    const got = await PostalMime.parse(mime);
    assert.equal(shown.subject, got.subject);
    assert.ok(shown.html.includes('/api/n/unsubscribe?token=hidden'));
    const pixel = /<img[^>]*\/t\/o\/[^>]*>/;
    assert.equal(shown.html.replaceAll('\r\n', '\n').trimEnd(), withoutTokens(got.html ?? '').replace(pixel, ''));
    assert.equal(shown.text.replaceAll('\r\n', '\n').trimEnd(), withoutTokens(got.text ?? ''));
    const header = got.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    assert.equal(shown.headers['List-Unsubscribe'], withoutTokens(header));
    assert.equal(shown.headers['Precedence'], 'bulk');
    const [, token = ''] = /\?token=([\w.-]+)/.exec(header) ?? [];
    assert.ok(token.length > 100 && !JSON.stringify(shown).includes(token.slice(0, 40)));
  });
}

test('200 without a token that a template takes out of its link', async () => {
  const { shown } = await sentTo({
    html_body: '<p>[{{ unsubscribe_url | split: "=" | last }}] [{{ preferences_url | url_encode }}]</p>',
  });
  assert.match(shown.html, /\[hidden\] \[https%3A%2F%2F[^\]]*token%3Dhidden\]/);
  // As every token of ours begins; the first three letters of it may stand in any id.
  assert.doesNotMatch(JSON.stringify(shown), /eyJhbGci/);
});

test('the email address in the content is that of the email, also when its reader has another one by now', async () => {
  const { emailId, mime } = await sentTo({ html_body: '<p>For {{ subscriber.email }}.</p>' });
  const [{ address = '' } = {}] = (await PostalMime.parse(mime)).to ?? [];
  await sql`update subscribers set email = 'moved@example.com' where workspace_id = ${t.app.workspaceId} and email = ${address}`.execute(
    t.app.db,
  );
  const { html } = await contentOf(emailId);
  assert.ok(address !== '' && html.includes(`<p>For ${address}.</p>`));
  assert.doesNotMatch(html, /moved@/);
});

test('200 with what is stored when the reader was erased', async () => {
  const { emailId } = await sentTo({ html_body: '<p>Hi {{ subscriber.name }}</p>' });
  await sql`delete from subscribers where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  const shown = await contentOf(emailId);
  assert.equal(shown.html, '<p>Hi {{ subscriber.name }}</p>');
});
