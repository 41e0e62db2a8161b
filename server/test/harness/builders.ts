import { randomBytes } from 'node:crypto';
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

const PUBLIC_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA3qOytlISKzJ87hnVF/4j8cmiHpNQ128gUIYviKAI17rfHiIhpNNf2DIy' +
  'mYgxhe4/59TGh4vKM4TOK29g3s5wPxxVDJQYA/z0/HXZhAIDl160hJ4S4HUjdJsFG2h1Atrs6CtFLP7TvZNq0DCYQjXq8VCuOVp4' +
  'Z4esSyEZRymHqQmcY8L8kBUi65riT3g5PhvsnAptSleEoDdpRe3vGnpqEI7xFmxz7wM5ke0YIiCPJn+uJp9F+F4W6B6Jb4XjSqrO' +
  'pg7sya0iWXX3MbwxqI3REp7Sma6ZjCuNnCEe/SshwTG8ed6AAo8S8oIqOjerHH1vxhe8zcgIciDvyvW6godciwIDAQAB';

/** A domain that waits for its records, without the third of a second that a key of its own takes. It cannot sign. */
export async function aPendingDomain(db: Db, workspaceId: string, domain: string): Promise<string> {
  const id = newId();
  await sql`insert into domains (workspace_id, id, domain, dkim_selector, dkim_public_key)
    values (${workspaceId}, ${id}, ${domain}, 'posthorn1', ${PUBLIC_KEY})`.execute(db);
  await sql`insert into domain_watches (workspace_id, domain_id, watch_until, next_check_at)
    values (${workspaceId}, ${id}, now() + interval '72 hours', now() + interval '1 minute')`.execute(db);
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

/** A received message with a file, which was read and never forwarded. */
export async function anInbound(
  db: Db,
  workspaceId: string,
  given: { domainId: string; from?: string; subject?: string },
): Promise<string> {
  const id = newId();
  const { domainId, from = 'ada@example.com', subject = 'Hello' } = given;
  const head = `From: ${from}\r\nSubject: ${subject}\r\nMessage-ID: <${id}@example.com>\r\n\r\n`;
  const bytes = Buffer.from(`${head}${subject}\r\n`);
  const file = { id: '1', filename: 'a.txt', contentType: 'text/plain', size: subject.length, contentId: null };
  const place = { disposition: 'attachment', start: head.length, end: head.length + subject.length, encoding: '' };
  const parts = { to: [], cc: [], reply_to: [], headers: [], files: [{ ...file, ...place }] };
  await sql`insert into inbound_emails (workspace_id, id, domain_id, digest, size, envelope_from, envelope_to, client_ip,
      read_at, from_email, subject, message_id, thread_id, text, stripped_chars, stripped_confidence, parts)
    values (${workspaceId}, ${id}, ${domainId}, ${Buffer.from(id)}, ${bytes.length}, ${from}, '{a@posthorn.test}',
      '192.0.2.1', now(), ${from}, ${subject}, ${`<${id}@example.com>`}, ${id}, ${subject}, ${subject.length}, 1,
      ${JSON.stringify(parts)}::jsonb)`.execute(db);
  await sql`insert into inbound_messages (workspace_id, inbound_id, bytes) values (${workspaceId}, ${id}, ${bytes})`.execute(
    db,
  );
  return id;
}

/** An image of one pixel, as if it had been uploaded. */
export async function anImage(db: Db, workspaceId: string, filename: string): Promise<string> {
  const id = newId();
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await sql`insert into images (workspace_id, id, source_hash, address, filename, frames, content_type, width, height,
      bytes, stored_bytes)
    values (${workspaceId}, ${id}, ${Buffer.from(id)}, ${randomBytes(16).toString('base64url')}, ${filename}, 1,
      'image/png', 1, 1, ${pixel.length}, ${pixel.length})`.execute(db);
  await sql`insert into image_files (workspace_id, image_id, variant, content_type, body)
    values (${workspaceId}, ${id}, 'mail', 'image/png', ${pixel})`.execute(db);
  await sql`insert into image_usage (workspace_id, images, bytes) values (${workspaceId}, 1, ${pixel.length})
    on conflict (workspace_id) do update
      set images = image_usage.images + 1, bytes = image_usage.bytes + excluded.bytes`.execute(db);
  return id;
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
