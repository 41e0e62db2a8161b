import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';

/** A workspace with nothing in it. */
export async function aWorkspace(
  db: Db,
  given: { name?: string; isHome?: boolean; status?: 'active' | 'paused' | 'blocked' } = {},
): Promise<string> {
  const id = newId();
  await sql`insert into workspaces (id, name, slug, is_home, status)
    values (${id}, ${given.name ?? 'Test'}, ${`w-${id}`}, ${given.isHome ?? false}, ${given.status ?? 'active'})`.execute(
    db,
  );
  return id;
}

/** A verified domain without a DKIM key. */
export async function aDomain(
  db: Db,
  workspaceId: string,
  domain: string,
  given: { sendingEnabled?: boolean; daily?: number | null; monthly?: number | null } = {},
): Promise<string> {
  const id = newId();
  await sql`insert into domains (workspace_id, id, domain, dkim_status, sending_enabled, dkim_selector, max_daily_emails,
      max_monthly_emails, verified_at)
    values (${workspaceId}, ${id}, ${domain}, 'verified', ${given.sendingEnabled ?? true}, 'posthorn1',
      ${given.daily ?? null}, ${given.monthly ?? null}, now())`.execute(db);
  return id;
}

/** An email in any state, with a content and a send request of its own. */
export async function anEmail(
  db: Db,
  workspaceId: string,
  given: {
    status?: string;
    recipient?: string;
    attempts?: number;
    source?: string;
    subject?: string;
    lane?: number;
    fromAddress?: string;
    sentAt?: Date | null;
    handoffAt?: Date | null;
    error?: string | null;
  } = {},
): Promise<{ emailId: string; sendId: string; contentId: string }> {
  const [emailId, sendId, contentId] = [newId(), newId(), newId()];
  const from = given.fromAddress ?? 'hello@posthorn.test';
  await sql`insert into contents (workspace_id, id, from_address, from_name, from_domain, subject, html, text)
    values (${workspaceId}, ${contentId}, ${from}, 'Acme', ${from.slice(from.indexOf('@') + 1)},
      ${given.subject ?? 'Hello'}, '<p>Hello</p>', null)`.execute(db);
  await sql`insert into send_requests (workspace_id, id, content_id, source, total)
    values (${workspaceId}, ${sendId}, ${contentId}, ${given.source ?? 'api'}, 1)`.execute(db);
  await sql`insert into emails (workspace_id, id, send_id, content_id, recipient, recipient_typed, lane, turn, status,
      attempts, sent_at, handoff_at, unconfirmed_at, error)
    values (${workspaceId}, ${emailId}, ${sendId}, ${contentId}, ${(given.recipient ?? 'ada@example.com').toLowerCase()},
      ${given.recipient ?? 'ada@example.com'}, ${given.lane ?? 1}, 0, ${given.status ?? 'queued'},
      ${given.attempts ?? 0}, ${given.sentAt ?? null}, ${given.handoffAt ?? null},
      ${given.status === 'unconfirmed' ? new Date() : null}, ${given.error ?? null})`.execute(db);
  return { emailId, sendId, contentId };
}

/** A newsletter from `news@posthorn.test`, which sends when its workspace has that domain. */
export async function aNewsletter(
  db: Db,
  workspaceId: string,
  given: {
    name?: string;
    slug?: string;
    fromEmail?: string | null;
    fromName?: string | null;
    doubleOptIn?: boolean;
  } = {},
): Promise<{ id: string; slug: string }> {
  const id = newId();
  const slug = given.slug ?? `n-${id}`;
  await sql`insert into newsletters (workspace_id, id, name, slug, from_email, from_name, double_opt_in)
    values (${workspaceId}, ${id}, ${given.name ?? 'Acme Weekly'}, ${slug},
      ${given.fromEmail === undefined ? 'news@posthorn.test' : given.fromEmail}, ${given.fromName ?? null},
      ${given.doubleOptIn ?? true})`.execute(db);
  await sql`insert into newsletter_slugs (slug, workspace_id, newsletter_id)
    values (${slug}, ${workspaceId}, ${id})`.execute(db);
  return { id, slug };
}
