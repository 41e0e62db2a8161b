/** Helpers that the tests of the public endpoints share: the whole application, and what a visitor does. */
import assert from 'node:assert/strict';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/harness/app.ts';
import { aNewsletter } from '../../../../test/harness/builders.ts';
import type { Newsletter } from '../newsletter.ts';
import { selectNewsletter } from '../queries.ts';
import { findSubscriberByEmail } from '../subscribers/queries.ts';
import type { Subscriber } from '../subscribers/subscriber.ts';
import { type LinkPurpose, signLink } from '../link-token.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
export const FORM = 'application/x-www-form-urlencoded';
export const ONE_CLICK = 'List-Unsubscribe=One-Click';

export type Headers = Record<string, string>;

/** The whole application; no limit per caller unless `env` sets one. */
export const aPublicApp = (env: Record<string, string> = {}): Promise<TestApp> =>
  createTestApp({
    env: {
      POSTHORN_DASHBOARD_URL: 'https://app.example.com',
      POSTHORN_PUBLIC_LIMIT_PER_MINUTE: '0',
      POSTHORN_PUBLIC_LIMIT_PER_HOUR: '0',
      ...env,
    },
  });

export interface GivenNewsletter {
  slug?: string;
  name?: string;
  description?: string;
  doubleOptIn?: boolean;
  language?: string;
  signupEnabled?: boolean;
  redirectOrigins?: string[];
  unsubscribeConfirmPage?: boolean;
}

export async function newsletterOf(app: TestApp, given: GivenNewsletter = {}): Promise<Newsletter> {
  const {
    language = 'en',
    signupEnabled = true,
    redirectOrigins = [],
    unsubscribeConfirmPage = false,
    description = null,
    ...rest
  } = given;
  const { id } = await aNewsletter(app.db, app.workspaceId, rest);
  await sql`
    update newsletters set language = ${language}, signup_enabled = ${signupEnabled}, description = ${description},
           redirect_origins = ${redirectOrigins}::text[], unsubscribe_confirm_page = ${unsubscribeConfirmPage}
     where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  const found = await selectNewsletter(app.db, app.workspaceId, id);
  assert.ok(found);
  return found;
}

/** A program: JSON in, JSON out. */
export const subscribe = (app: TestApp, slug: string, body: unknown, headers: Headers = {}): Promise<TestAnswer> =>
  app.request({ method: 'POST', url: `/api/n/${slug}/subscribe`, body, key: null, headers });

/** The behaviour of a browser: the answers to failures are pages too, in place of the envelope of the API. */
async function browse(app: TestApp, asked: InjectOptions, headers: Headers): Promise<TestAnswer> {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const answer = await app.app.inject({ ...asked, headers: { accept, 'user-agent': CHROME, ...headers } });
  assert.doesNotMatch(answer.body, /\bat .+\.ts:\d+|node_modules|select .+ from |insert into /i);
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, text: answer.body };
}

/** The answer that a browser gets for a form, before it goes on to the page that the answer names. */
export const postForm = (app: TestApp, url: string, body: string, headers: Headers = {}): Promise<TestAnswer> =>
  browse(app, { method: 'POST', url, payload: body }, { 'content-type': FORM, ...headers });

/** The forms of a sign-up answer with a redirect: the reload of a page that answered a POST would send them again. */
const REDIRECTS = /\/(?:subscribe|resend)$/;

/** A browser that sends a form and shows the answer: the page of ours that it is sent to, when it is. */
export async function sendForm(app: TestApp, url: string, body: string, headers: Headers = {}): Promise<TestAnswer> {
  const sent = await postForm(app, url, body, headers);
  if (REDIRECTS.test(url))
    assert.notEqual(sent.status, 200, `POST ${url} answers a browser with a page in place of a redirect`);
  const location = String(sent.headers.location ?? '');
  if (sent.status !== 303 || !/^\/(?:api\/)?n\//.test(location)) return sent;
  return visit(app, location, headers);
}

/** A browser that follows a link. */
export const visit = (
  app: TestApp,
  url: string,
  headers: Headers = {},
  method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET',
): Promise<TestAnswer> => browse(app, { method, url }, headers);

export async function rowOf(app: TestApp, newsletter: Newsletter, email: string): Promise<Subscriber | undefined> {
  return findSubscriberByEmail(app.db, newsletter.workspaceId, newsletter.id, email);
}

export async function statusOf(app: TestApp, newsletter: Newsletter, email: string): Promise<string | undefined> {
  return (await rowOf(app, newsletter, email))?.status;
}

export async function tokenFor(app: TestApp, purpose: LinkPurpose, row: Subscriber, issueId?: string): Promise<string> {
  const { workspaceId, newsletterId, id: subscriberId, generation } = row;
  const claims = { workspaceId, newsletterId, subscriberId, generation, ...(issueId === undefined ? {} : { issueId }) };
  return signLink(app.secrets, purpose, claims, app.clock.now());
}

/** Somebody on the list, as a sign-up leaves them. */
export async function aMember(
  app: TestApp,
  newsletter: Newsletter,
  email: string,
  status: 'pending' | 'active' | 'unsubscribed' = 'active',
): Promise<Subscriber> {
  const answer = await subscribe(app, newsletter.slug, { email });
  assert.equal(answer.status, 200, answer.text);
  if (status !== 'pending') {
    await sql`update subscribers set status = 'active', confirmed_at = ${app.clock.now()}
               where workspace_id = ${app.workspaceId} and newsletter_id = ${newsletter.id} and email = ${email}`.execute(
      app.db,
    );
  }
  const row = await rowOf(app, newsletter, email);
  assert.ok(row);
  if (status === 'unsubscribed') {
    const left = await visit(app, `/api/n/unsubscribe?token=${await tokenFor(app, 'nl_unsub', row)}`);
    assert.equal(left.status, 200);
  }
  const now = await rowOf(app, newsletter, email);
  assert.equal(now?.status, status);
  return now;
}

/** How many confirmation emails were queued to an address, on every newsletter. */
export async function mailsTo(app: TestApp, email: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from emails
     where workspace_id = ${app.workspaceId} and recipient = ${email}`.execute(app.db);
  return rows[0]?.count ?? -1;
}

export async function eventsOf(app: TestApp, row: Pick<Subscriber, 'id'>): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from workspace_events
     where workspace_id = ${app.workspaceId} and payload::text like ${`%${row.id}%`} order by id`.execute(app.db);
  return rows.map(({ type }) => type);
}

/** The parts that no page for a person may have or lack. */
export function assertPage(answer: TestAnswer): void {
  assert.match(String(answer.headers['content-type']), /^text\/html/);
  assert.partialDeepStrictEqual(answer.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  assert.equal(answer.headers['set-cookie'], undefined);
  assert.equal(answer.headers.location, undefined);
  assert.doesNotMatch(answer.text, /<script/i);
}
