import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { AcceptedSend } from '../accepted-send.ts';

/** Making and reading a page takes a few milliseconds of the process, which serves others in between. */
const PAGE_CHARS = 256 * 1024;

interface SendWithVariants {
  workspaceId: string;
  contentId: string;
  send: Pick<AcceptedSend, 'content' | 'variants'>;
  /** One per variant. */
  variantIds: readonly string[];
}

interface VariantRow {
  id: string;
  subject: string;
  html: string | null;
  text: string | null;
}

/**
 * Stores the contents of single recipients, page by page, in the transaction of their sends: all that they share with
 * the content of the send is copied where it is, with its files.
 */
export async function insertVariants(db: Db, sends: readonly SendWithVariants[]): Promise<void> {
  for (const given of sends) {
    if (given.send.variants === undefined) continue;
    if (!db.isTransaction) throw new Error('a send with variants was stored outside of a transaction');
    for (const page of pagesOf(given)) await insertPage(db, given, page);
    await copyFiles(db, given);
  }
}

function* pagesOf({ send, variantIds }: SendWithVariants): Generator<VariantRow[]> {
  let page: VariantRow[] = [];
  let chars = 0;
  for (const [place, { subject, html, text }] of (send.variants ?? []).entries()) {
    page.push({ id: variantIds[place] ?? newId(), subject, html, text });
    chars += (html?.length ?? 0) + (text?.length ?? 0);
    if (chars < PAGE_CHARS) continue;
    yield page;
    page = [];
    chars = 0;
  }
  if (page.length > 0) yield page;
}

async function insertPage(
  db: Db,
  { workspaceId, contentId }: SendWithVariants,
  page: readonly VariantRow[],
): Promise<void> {
  await sql`
    insert into contents (workspace_id, id, variant_of, from_address, from_name, from_domain, domain_id, reply_to,
      subject, html, text, headers, in_reply_to, tags, metadata, track_opens, track_clicks)
    select c.workspace_id, v.id, c.id, c.from_address, c.from_name, c.from_domain, c.domain_id, c.reply_to, v.subject,
           v.html, v.text, c.headers, c.in_reply_to, c.tags, c.metadata, c.track_opens, c.track_clicks
      from contents c
     cross join jsonb_to_recordset(${JSON.stringify(page)}::jsonb) as v (id uuid, subject text, html text, text text)
     where c.workspace_id = ${workspaceId} and c.id = ${contentId}`.execute(db);
}

async function copyFiles(db: Db, { workspaceId, contentId, send, variantIds }: SendWithVariants): Promise<void> {
  const { content } = send;
  if (content.kind !== 'composed' || content.attachments.length === 0) return;
  const copies = variantIds.flatMap((variant) =>
    content.attachments.map((_file, position) => ({ variant, position, id: newId() })),
  );
  await sql`
    insert into attachments (workspace_id, id, content_id, position, filename, content_type, cid, disposition, body)
    select a.workspace_id, n.id, n.variant, a.position, a.filename, a.content_type, a.cid, a.disposition, a.body
      from attachments a
      join unnest(${copies.map(({ id }) => id)}::uuid[], ${copies.map(({ variant }) => variant)}::uuid[],
                  ${copies.map(({ position }) => position)}::integer[]) as n (id, variant, position)
        on n.position = a.position
     where a.workspace_id = ${workspaceId} and a.content_id = ${contentId}`.execute(db);
}
