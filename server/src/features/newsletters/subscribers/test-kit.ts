/**
 * Helpers that the tests of subscribers share: a workspace with a sender, newsletters, and the look at what was
 * stored.
 */
import { type Evidence, noEvidence } from '#features/consents';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { createSandboxDomain } from '#features/domains';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { publicActor } from '#platform/http/context.ts';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestClock, type TestClock } from '../../../../test/harness/test-clock.ts';
import type { Newsletter } from '../newsletter.ts';
import { selectNewsletter } from '../queries.ts';
import { findSubscriber } from './queries.ts';
import { type SignedUp, type SignUp, signUp } from './joining/sign-up.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

const MASTER = 'a secret for tests that is long enough';

export interface World {
  ctx: SubscribersCtx & { clock: TestClock };
  newsletter: Newsletter;
}

/** A workspace with a verified domain and one newsletter. */
export async function aWorld(db: Db, given: Parameters<typeof aNewsletter>[2] = {}): Promise<World> {
  const workspaceId = await aWorkspace(db);
  const secrets = createSecrets(MASTER);
  await createSandboxDomain(db, secrets, workspaceId);
  const { settings } = loadSettings({ DATABASE_URL: 'postgres://x', POSTHORN_SECRET_KEY: MASTER });
  const ctx = {
    db,
    workspaceId,
    actor: publicActor,
    clock: createTestClock(),
    settings,
    secrets,
  };
  return { ctx, newsletter: await anotherNewsletter(ctx, given) };
}

export async function anotherNewsletter(
  ctx: Pick<SubscribersCtx, 'db' | 'workspaceId'>,
  given: Parameters<typeof aNewsletter>[2] = {},
): Promise<Newsletter> {
  const { id } = await aNewsletter(ctx.db, ctx.workspaceId, given);
  const newsletter = await selectNewsletter(ctx.db, ctx.workspaceId, id);
  assert.ok(newsletter);
  return newsletter;
}

export const proof: Evidence = {
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  url: 'https://acme.example/blog',
  formVersion: 'v1',
};

export const join = (
  { ctx, newsletter }: World,
  email: string,
  given: Partial<Omit<SignUp, 'email'>> = {},
): Promise<SignedUp> =>
  signUp(ctx, newsletter, {
    email: parseMailbox(email),
    name: null,
    source: null,
    evidence: noEvidence,
    via: 'public',
    ...given,
  });

export async function rowOf({ ctx }: World, { newsletterId, id }: Subscriber): Promise<Subscriber> {
  const row = await findSubscriber(ctx.db, ctx.workspaceId, newsletterId, id);
  assert.ok(row, 'the subscriber is there');
  return row;
}

export interface Told {
  events: { type: string; payload: Record<string, unknown> }[];
  emails: { recipient: string; status: string; lane: number; source: string; html: string; subject: string }[];
  consents: { action: string; email: string | null; ip: string | null; email_id: string | null }[];
}

/** Everything that what happened in a workspace has left, in order. */
export async function toldIn({ ctx: { db, workspaceId } }: World): Promise<Told> {
  const events = await sql<Told['events'][number]>`
    select type, payload from workspace_events where workspace_id = ${workspaceId} order by id`.execute(db);
  const emails = await sql<Told['emails'][number]>`
    select e.recipient, e.status, e.lane, r.source, c.html, c.subject
      from emails e
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.workspace_id = ${workspaceId} order by e.id`.execute(db);
  const consents = await sql<Told['consents'][number]>`
    select action, email, ip, email_id from consents where workspace_id = ${workspaceId} order by id`.execute(db);
  return { events: events.rows, emails: emails.rows, consents: consents.rows };
}

/** The counts that triggers keep, summed. */
export async function countsOf({ ctx: { db, workspaceId }, newsletter }: World): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select coalesce(sum(pending), 0)::integer as pending, coalesce(sum(active), 0)::integer as active,
           coalesce(sum(unsubscribed), 0)::integer as unsubscribed
      from subscriber_counts where workspace_id = ${workspaceId} and newsletter_id = ${newsletter.id}`.execute(db);
  return rows[0] ?? {};
}
