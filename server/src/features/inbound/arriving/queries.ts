import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { MailVerdicts } from '#platform/smtp/mail-verdicts.ts';

export interface NewInbound {
  workspaceId: string;
  id: string;
  domainId: string;
  digest: Buffer;
  size: number;
  envelopeFrom: string;
  envelopeTo: readonly string[];
  clientIp: string;
  clientName: string | null;
  /** null: it came over SMTP. */
  verdicts: MailVerdicts | null;
}

/** False: the same message was stored before. */
export async function insertInbound(tx: Db, mail: NewInbound): Promise<boolean> {
  const { rows } = await sql`
    insert into inbound_emails (workspace_id, id, domain_id, digest, size, envelope_from, envelope_to, client_ip,
                                client_name, verdicts)
    values (${mail.workspaceId}, ${mail.id}, ${mail.domainId}, ${mail.digest}, ${mail.size}, ${mail.envelopeFrom},
            ${[...mail.envelopeTo]}::text[], ${mail.clientIp}, ${mail.clientName},
            ${mail.verdicts === null ? null : JSON.stringify(mail.verdicts)}::jsonb)
    on conflict (workspace_id, domain_id, digest) do nothing
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function insertMessage(
  tx: Db,
  { workspaceId, id, bytes }: { workspaceId: string; id: string; bytes: Buffer },
): Promise<void> {
  await sql`
    insert into inbound_messages (workspace_id, inbound_id, bytes) values (${workspaceId}, ${id}, ${bytes})`.execute(
    tx,
  );
}

/** Takes room for a message of a domain. False: there is none; 0 is no limit. */
export async function takeRoom(
  tx: Db,
  {
    workspaceId,
    domainId,
    bytes,
    bytesMax,
  }: { workspaceId: string; domainId: string; bytes: number; bytesMax: number },
): Promise<boolean> {
  if (bytesMax > 0 && bytes > bytesMax) return false;
  const { rows } = await sql`
    insert into inbound_usage as u (workspace_id, domain_id, emails, bytes)
    values (${workspaceId}, ${domainId}, 1, ${bytes})
    on conflict (workspace_id, domain_id) do update set emails = u.emails + 1, bytes = u.bytes + excluded.bytes
     where ${bytesMax}::bigint = 0 or u.bytes + excluded.bytes <= ${bytesMax}
    returning domain_id`.execute(tx);
  return rows.length > 0;
}
