import assert from 'node:assert/strict';
import { until } from '../../../server/test/harness/until.ts';
import type { RunningDashboard } from './dashboard.ts';
import { asOwner, callAs } from './people.ts';

type Running = Pick<RunningDashboard, 'posthorn' | 'owner'>;

/** An answer of our own API, in the fields that are read here. */
interface Answered {
  id: string;
  status: string;
  batchId: string;
  emails: { id: string }[];
  data: { id: string }[];
}

const caller =
  ({ posthorn }: Running) =>
  async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<Answered> => {
    const answer = await posthorn.fetch(path, body === undefined ? {} : { method, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Answered;
  };

type Call = ReturnType<typeof caller>;

/** The path of a page, and the number of places that show the words at least. */
type Named = readonly [path: string, places: number];

/** Everything of the workspace that has a name or a text has `words` in it. These are the pages that show them. */
export async function pagesOfRecords(running: Running, words: string): Promise<Named[]> {
  const call = caller(running);
  await nameOwner(running, words);
  return [
    ...(await pagesOfNewsletter(call, words, running.posthorn)),
    ...(await pagesOfEmails(call, words)),
    ...(await pagesOfAudience(call, words)),
    ['/members', 1],
    ['/settings', 1],
    ['/account', 2],
    ['/system/workspaces', 1],
  ];
}

async function nameOwner(running: Running, name: string): Promise<void> {
  const { token, workspaceId } = await asOwner(running);
  await callAs(running, token, `/workspaces/${workspaceId}`, { name }, 'PATCH');
  await callAs(running, token, '/auth/me', { name }, 'PATCH');
}

/** An issue that was sent to a subscriber, one that is written, and an import. */
async function pagesOfNewsletter(call: Call, words: string, { url, key }: Running['posthorn']): Promise<Named[]> {
  const { id } = await call('/v1/newsletters', {
    name: words,
    description: words,
    slug: 'named',
    from_email: 'named@posthorn.test',
    from_name: 'Named',
  });
  const { id: subscriber } = await call(`/v1/newsletters/${id}/subscribers`, {
    email: 'named@example.com',
    name: words,
    source: words,
    metadata: { plan: words },
    skip_confirmation: true,
    consent: { text: words, url: `https://example.com/?${words}`, user_agent: words, form_version: words },
  });
  const issue = { subject: words, preheader: words, html_body: '<p>Hello</p><p><a href="https://example.com/">It</a>' };
  const [draft, sent] = [
    await call(`/v1/newsletters/${id}/issues`, issue),
    await call(`/v1/newsletters/${id}/issues`, issue),
  ];
  const path = `/v1/newsletters/${id}/issues/${sent.id}`;
  await call(`${path}/send`, {});
  await until('the issue is sent', async () => ((await call(path)).status === 'sent' ? true : undefined));
  const uploaded = await fetch(`${url}/v1/newsletters/${id}/subscribers/import?consent=already_confirmed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `email,name\n"${words.replaceAll('"', '""')}",Eve\nimported@example.com,Eve\n`,
  });
  const { id: imported } = (await uploaded.json()) as Answered;
  const newsletter = `/newsletters/${id}`;
  return [
    ['/newsletters', 1],
    [newsletter, 3],
    [`${newsletter}?tab=subscribers`, 1],
    [`${newsletter}/subscribers/${subscriber}`, 6],
    [`${newsletter}/issues/${sent.id}`, 3],
    [`${newsletter}/issues/${draft.id}/edit`, 4],
    [`${newsletter}/issues/${draft.id}/edit?view=preview`, 4],
    ['/imports', 0],
    [`/imports/${imported}`, 2],
  ];
}

async function pagesOfEmails(call: Call, words: string): Promise<Named[]> {
  const email = {
    from: 'hello@posthorn.test',
    to: 'filed@example.com',
    subject: words,
    html: '<p>Hello</p>',
    metadata: { order: words },
  };
  const { emails } = await call('/v1/send', email);
  const { batchId } = await call('/v1/batch', { emails: [email] });
  await call(`/v1/suppressions`, { email: 'left@example.com', note: words });
  const { id: suppression } = await call('/v1/suppressions/left@example.com');
  const captured = await until('the email is captured', async () => {
    const { data } = await call('/v1/captured-emails?to=filed@example.com');
    return data[0];
  });
  return [
    ['/', 0],
    ['/emails', 3],
    [`/emails/${emails[0]?.id}`, 2],
    ['/outbox', 3],
    [`/outbox/${captured.id}`, 4],
    [`/batches/${batchId}`, 1],
    ['/suppressions', 1],
    [`/suppressions/${suppression}`, 1],
  ];
}

async function pagesOfAudience(call: Call, words: string): Promise<Named[]> {
  const { id: template } = await call('/v1/templates', { name: words, subject: words, html: '<p>Hello</p>' });
  const { id: list } = await call('/v1/lists', { name: words, description: words });
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'contains', value: words }] };
  const { id: segment } = await call('/v1/segments', { name: words, filter });
  const { id: broadcast } = await call('/v1/broadcasts', {
    name: words,
    subject: words,
    audience: { list_ids: [list] },
  });
  const { id: contact } = await call('/v1/contacts', { email: 'named@example.com', first_name: words });
  return [
    ['/templates', 1],
    [`/templates/${template}`, 2],
    ['/lists', 2],
    [`/lists/${list}`, 2],
    ['/segments', 2],
    [`/segments/${segment}`, 1],
    ['/broadcast', 1],
    [`/broadcast/${broadcast}`, 3],
    [`/contacts/${contact}`, 1],
  ];
}
