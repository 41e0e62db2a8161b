import { sql } from 'kysely';
import type { TestApp } from '../../harness/app.ts';
import type { ExpectedAnswer, MistakenRequest } from './mistake.ts';

/** The values that stand for `{name}` in the requests and answers of the table. */
export type Prepared = ReadonlyMap<string, string>;

/** The records that the requests of the table refer to. */
export async function prepareRecords(app: TestApp): Promise<Prepared> {
  const made = async (url: string, body: unknown, headers?: Record<string, string>): Promise<Record<string, string>> =>
    (await app.request({ url, body, ...(headers === undefined ? {} : { headers }) })).body as Record<string, string>; // a record
  const newsletter = await made('/v1/newsletters', {
    name: 'Weekly',
    slug: 'weekly',
    from_email: 'news@posthorn.test',
  });
  const issues = `/v1/newsletters/${newsletter['id']}/issues`;
  const issue = await made(issues, { subject: 'News', html_body: '<p>Hi</p>' });
  const sentIssue = await made(issues, { subject: 'Old news', html_body: '<p>Hi</p>' });
  await sql`update issues set status = 'sent' where workspace_id = ${app.workspaceId} and id = ${sentIssue['id']}`.execute(
    app.db,
  );
  const email = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hello', text: 'Hi' };
  await made('/v1/send', email, { 'idempotency-key': 'order-41' });
  const { key } = await made('/v1/api-keys', { name: 'reader', scopes: ['emails:read'] });
  return new Map([
    ['newsletter', newsletter['id'] ?? ''],
    ['issue', issue['id'] ?? ''],
    ['sentIssue', sentIssue['id'] ?? ''],
    ['usedKey', 'order-41'],
    ['key', app.key],
    ['readKey', key ?? ''],
  ]);
}

/** Sends a request of the table; the answer has names in place of the values that stood for them. */
export async function ask(app: TestApp, prepared: Prepared, request: MistakenRequest): Promise<ExpectedAnswer> {
  const filled = (text: string): string =>
    [...prepared].reduce((sum, [name, value]) => sum.replaceAll(`{${name}}`, value), text);
  const { authorization = `Bearer ${app.key}`, ...headers } = mapped(request.headers ?? {}, filled);
  const given = { ...(authorization === '' ? {} : { authorization }), ...headers };
  const answer = await app.request({
    url: filled(request.url),
    ...(request.method === undefined ? {} : { method: request.method }),
    ...(request.body === undefined ? {} : { body: request.body }),
    key: null,
    headers: given,
  });
  const { status } = answer;
  const unknown = answer.headers['x-unknown-fields'];
  const { name, message, param, details, warnings } = answer.body as Record<string, never>; // as the reference has it
  const told: ExpectedAnswer = {
    status,
    ...(status < 300 ? {} : { name, message }),
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
    ...(warnings === undefined ? {} : { warnings }),
    ...(unknown === undefined ? {} : { unknown: String(unknown) }),
  };
  const text = [...prepared].reduce((sum, [key, value]) => sum.replaceAll(value, `{${key}}`), JSON.stringify(told));
  return JSON.parse(text) as ExpectedAnswer; // the same with names
}

const mapped = (headers: Readonly<Record<string, string>>, filled: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]));
