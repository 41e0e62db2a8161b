/**
 * Records for the pictures of the pages, made through the API: a few of every state, with long texts and strange
 * characters among them.
 */
import assert from 'node:assert/strict';
import type { RunningDashboard } from '../test/harness/dashboard.ts';
import { importMarkdown } from '../src/lib/blocks/import-markdown.ts';
import { storedDocument } from '../src/lib/blocks/document.ts';
import { renderDocument } from '../src/lib/blocks/render.ts';

/** The ids that the addresses of the pages need. */
export type Ids = Readonly<
  Record<
    | 'key'
    | 'suppression'
    | 'email'
    | 'bounced'
    | 'send'
    | 'batch'
    | 'captured'
    | 'emailOfIssue'
    | 'newsletter'
    | 'unready'
    | 'large'
    | 'subscriber'
    | 'draft'
    | 'written'
    | 'scheduled'
    | 'sent'
    | 'cancelled'
    | 'toSend'
    | 'paused'
    | 'import'
    | 'webhook'
    | 'delivery'
    | 'request',
    string
  >
>;

const REASONS = ['asked by phone', null, 'bought list of 2024, never asked', null, 'left the company'];
const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller', 'Đặng Thị Hương', 'O’Brien, Síle', 'José', '李娜', ''];
const LONG =
  'Lessons of a year in which we wrote every week, the three mails that most of you opened, and everything that is ' +
  'planned for the spring';
const TEXT = `# Spring is near, {{ subscriber.name | default: "friend" }}

Last week we opened the **new workshop**. These are the dates:

- Monday: *bread*, for beginners
- Tuesday: soup
- Friday: everything else

## Why we moved

The old kitchen was too small. Read [the whole story](https://example.com/story) or look at [the plan](https://example.com/plan).

> The best kitchen is the one with a window.

---

1. Choose a date
2. Write to us
3. Come hungry
`;

export async function seed({ posthorn, owner }: RunningDashboard): Promise<Ids> {
  const read = async (path: string) => (await posthorn.fetch(path)).body as Answered;
  const make = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> => {
    const answer = await posthorn.fetch(path, { method: 'POST', body, headers });
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Answered;
  };

  const endpoint = await make('/v1/webhooks', {
    url: 'http://127.0.0.1:10009/posthorn',
    events: ['*'],
    description: 'CRM',
  });
  await make('/v1/webhooks', { url: 'http://localhost:4000/hooks', events: ['bounce', 'complaint'] });

  for (const [index, note] of REASONS.entries()) {
    const reason = index % 2 === 0 ? 'manual' : 'unsubscribe';
    await make('/v1/suppressions', { email: `person.${index}@example.com`, reason, note });
  }
  const emails = Array.from({ length: 120 }, (_, index) => `subscriber-${String(index).padStart(3, '0')}@mail.example`);
  await make('/v1/suppressions/batch', { emails, reason: 'unsubscribe' });

  const keys: Answered[] = [];
  for (const body of [
    { name: 'Web shop, production', scopes: ['emails:send', 'emails:read', 'scheduled:write', 'templates:read'] },
    { name: 'Reports', scopes: ['analytics:read', 'emails:read', 'logs:read'], allowed_ips: ['203.0.113.0/24'] },
    { name: 'Continuous integration', scopes: ['emails:send'], mode: 'test', expires_at: '2027-03-01T09:00:00.000Z' },
  ])
    keys.push(await make('/v1/api-keys', body));
  await posthorn.fetch(`/v1/api-keys/${keys[2]?.id}`, { method: 'PATCH', body: { enabled: false } });

  // Emails of the API.
  const from = 'Acme Kitchen <hello@posthorn.test>';
  const html = renderDocument(importMarkdown(TEXT).document);
  const one = (to: string | string[], subject: string, more: object = {}) =>
    make('/v1/send', { from, to, subject, html, trackOpens: true, trackClicks: true, ...more });
  const receipt = await one('ada@example.com', 'Your receipt', {
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { order: '10023' },
    attachments: [{ filename: 'receipt 10023.txt', content: Buffer.from('Thank you').toString('base64') }],
  });
  const bounced = await one('bounce+one@simulator.amazonses.com', 'Reset your password');
  for (const [index, outcome] of ['softbounce', 'complaint', 'reject', 'delay', 'suppressionlist'].entries())
    await one(`${outcome}+${index}@simulator.amazonses.com`, `Your order ${1000 + index} is on its way`);
  await one('a.very.long.address.of.somebody@department.of.long.names.example.com', LONG);
  const many = await one(
    Array.from({ length: 30 }, (_, index) => `team-${index}@example.com`),
    'Minutes of the meeting',
  );
  const batch = await make('/v1/batch', {
    emails: ['ada', 'grace', 'zoe'].map((name) => ({
      from,
      to: `${name}@example.com`,
      subject: 'Your invoice',
      text: 'See it in your account.',
    })),
  });
  await posthorn.fetch('/v1/send', { body: { from: 'me@nowhere.example', to: 'ada@example.com', subject: 'No' } });

  // A newsletter with everything, one without a sender, and one to send to many.
  const newsletter = await make('/v1/newsletters', {
    name: 'Acme Kitchen Weekly',
    slug: 'kitchen',
    description: 'One recipe every Friday.',
    from_email: 'kitchen@posthorn.test',
    accent_color: '#0f766e',
    timezone: 'Europe/Berlin',
  });
  const unready = await make('/v1/newsletters', {
    name: `The list with a long name: ${LONG}`.slice(0, 190),
    slug: 'long',
  });
  const large = await make('/v1/newsletters', {
    name: 'Release notes',
    slug: 'notes',
    from_email: 'notes@posthorn.test',
  });
  const rows = NAMES.map((name, at) => `reader-${at}@example.com,"${name}",${at % 2 === 0 ? 'pro' : 'free'}`);
  const upload = async (id: string, lines: readonly string[]) => {
    const answer = await fetch(`${posthorn.url}/v1/newsletters/${id}/subscribers/import?consent=already_confirmed`, {
      method: 'POST',
      headers: { authorization: `Bearer ${posthorn.key}`, 'content-type': 'text/csv' },
      body: ['email,name,plan', ...lines].join('\n'),
    });
    assert.equal(answer.status, 202, await answer.clone().text());
    const { id: made } = (await answer.json()) as Answered;
    await eventually(async () => (await read(`/v1/imports/${made}`)).status === 'completed');
    return made;
  };
  const imported = await upload(newsletter.id, [
    ...rows,
    'bounce+two@simulator.amazonses.com,Bo,free',
    'complaint+two@simulator.amazonses.com,Cy,free',
    'not an address,Nobody,free',
    'person.0@example.com,Suppressed,free',
    '<script>alert(1)</script>,Eve,free',
  ]);
  await upload(
    large.id,
    Array.from({ length: 900 }, (_, index) => `follower-${index}@example.com,Follower ${index},free`),
  );
  for (const email of ['pending.one@example.com', 'pending.two@example.com'])
    await make(`/v1/newsletters/${newsletter.id}/subscribers`, { email, source: 'footer-form' });
  const [subscriber] = (await read(`/v1/newsletters/${newsletter.id}/subscribers?search=reader-0@`)).data;
  const [leaver] = (await read(`/v1/newsletters/${newsletter.id}/subscribers?search=reader-3@`)).data;
  await make(`/v1/newsletters/${newsletter.id}/subscribers/${leaver?.id}/unsubscribe`, {});

  const { document } = importMarkdown(TEXT);
  const issue = (subject: string) =>
    make(`/v1/newsletters/${newsletter.id}/issues`, {
      subject,
      preheader: 'Three dates, and a window.',
      html_body: renderDocument(document, { brandColor: '#0f766e' }),
      editor: storedDocument(document),
    });
  const [sent, scheduled, cancelled, written, draft] = [
    await issue('Spring is near, {{ subscriber.name | default: "friend" }}'),
    await issue('The summer menu'),
    await issue('A mistake'),
    await issue('The courses of spring'),
    await issue(LONG),
  ];
  const issuePath = (id: string) => `/v1/newsletters/${newsletter.id}/issues/${id}`;
  await make(`${issuePath(sent.id)}/send`, {});
  for (const { id } of [scheduled, cancelled])
    await make(`${issuePath(id)}/schedule`, { scheduled_for: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  await make(`${issuePath(cancelled.id)}/cancel`, {});
  const toSend = await make(`/v1/newsletters/${large.id}/issues`, {
    subject: 'Version 4.2',
    html_body: '<h1>Version 4.2</h1><p>Faster.</p>',
  });
  await eventually(async () => (await read(issuePath(sent.id))).status === 'sent');
  await eventually(async () => (await read('/v1/emails?status=queued')).data.length === 0);
  const ofIssue = (await read('/v1/captured-emails?search=Spring%20is%20near&limit=20')).data;
  for (const [index, { id }] of ofIssue.entries()) {
    if (index % 2 === 0) await make(`/v1/captured-emails/${id}/simulate`, { outcome: 'open' });
    if (index % 3 === 0) await make(`/v1/captured-emails/${id}/simulate`, { outcome: 'click' });
  }

  const paused = await make(`/v1/newsletters/${large.id}/issues`, {
    subject: 'Version 4.1',
    html_body: '<h1>Version 4.1</h1><p>Safer.</p>',
  });
  await make(`/v1/newsletters/${large.id}/issues/${paused.id}/send`, {});
  await make(`/v1/newsletters/${large.id}/issues/${paused.id}/pause`, {});

  await invite(posthorn.url, owner);
  const emailId = (answer: Answered) => answer.emails?.[0]?.id ?? '';
  const delivery = await eventually(async () => (await read(`/v1/webhooks/${endpoint.id}/deliveries`)).data[0]?.id);
  return {
    key: keys[0]?.id ?? '',
    suppression: (await read('/v1/suppressions/person.2@example.com')).id,
    email: emailId(receipt),
    bounced: emailId(bounced),
    send: many.jobId,
    batch: batch.batchId,
    captured: ofIssue[0]?.id ?? '',
    emailOfIssue: ofIssue[0]?.email_id ?? '',
    newsletter: newsletter.id,
    unready: unready.id,
    large: large.id,
    subscriber: subscriber?.id ?? '',
    draft: draft.id,
    written: written.id,
    scheduled: scheduled.id,
    sent: sent.id,
    cancelled: cancelled.id,
    toSend: toSend.id,
    paused: paused.id,
    import: imported,
    webhook: endpoint.id,
    delivery,
    request: (await read('/v1/requests?limit=1')).data[0]?.id ?? '',
  };
}

/** Answers of our own API, in the fields that are read here. */
interface Answered {
  id: string;
  status: string;
  jobId: string;
  batchId: string;
  emails?: { id: string }[];
  data: { id: string; email_id?: string }[];
}

/** Two people are invited; only a person who is signed in may do that. */
async function invite(url: string, owner: { email: string; password: string }): Promise<void> {
  const call = async (path: string, body: unknown, token?: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const token = String((await call('/auth/login', owner))['token']);
  const { workspace_id: workspace } = await call('/auth/me', undefined, token);
  for (const [email, role] of [
    ['ada@example.com', 'editor'],
    ['grace@example.com', 'viewer'],
  ])
    await call(`/workspaces/${String(workspace)}/invites`, { email, role }, token);
}

/** Asks until there is something: deliveries and states take a moment. */
async function eventually<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    assert.ok(Date.now() < end, 'it did not happen within a minute');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
