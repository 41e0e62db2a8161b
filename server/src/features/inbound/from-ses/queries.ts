/**
 * `inbound_arrivals` has no workspace_id, so no statement here can name it: a message may be for several workspaces, or
 * for none, and none is known before its recipients are looked up. It is read by the arrival service and counted by the
 * doctor, and no route shows a row of it. A row that was taken keeps nothing of the message.
 */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import type { MailVerdicts } from '#platform/smtp/mail-verdicts.ts';

export interface NewArrival {
  id: string;
  digest: Buffer;
  envelopeFrom: string;
  recipients: readonly string[];
  verdicts: MailVerdicts;
  bytes: Buffer | null;
  region: string | null;
  bucket: string | null;
  objectKey: string | null;
}

/** Messages that are known already are left as they are. */
export async function insertArrivals(tx: Db, arrivals: readonly NewArrival[]): Promise<void> {
  // The messages go as one parameter, which the driver sends as it is; an array of them it would spell out in
  // hexadecimal.
  const bytes = arrivals.map((one) => one.bytes ?? Buffer.alloc(0));
  const starts = bytes.map((_, index) => bytes.slice(0, index).reduce((sum, one) => sum + one.length, 1));
  const rows = arrivals.map(({ bytes: own, digest, ...row }, index) => ({
    ...row,
    digest: digest.toString('hex'),
    start: own === null ? null : starts[index],
    size: own?.length ?? null,
  }));
  await sql`
    insert into inbound_arrivals (id, digest, envelope_from, recipients, verdicts, bytes, region, bucket, object_key)
    select a.id, decode(a.digest, 'hex'), a."envelopeFrom", a.recipients, a.verdicts,
           substring(b.bytes from a.start for a.size), a.region, a.bucket, a."objectKey"
      from (values (${Buffer.concat(bytes)}::bytea)) as b (bytes),
           jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as a (id uuid, digest text, "envelopeFrom" text, recipients text[], verdicts jsonb, start integer,
                   size integer, region text, bucket text, "objectKey" text)
    on conflict (digest) do nothing`.execute(tx);
}

export interface Arrival {
  id: string;
  receivedAt: Date;
  envelopeFrom: string;
  recipients: string[];
  verdicts: MailVerdicts;
  bytes: Buffer | null;
  region: string | null;
  bucket: string | null;
  objectKey: string | null;
  tries: number;
}

/** Takes a message that is due, for five minutes; undefined: none is. */
export async function claimArrival(db: Db): Promise<Arrival | undefined> {
  const { rows } = await sql<Arrival>`
    update inbound_arrivals a set tries = a.tries + 1, next_try_at = now() + interval '5 minutes'
     where a.id = (select id from inbound_arrivals
                    where outcome is null and next_try_at <= now()
                    order by next_try_at limit 1 for update skip locked)
    returning a.id, a.received_at as "receivedAt", a.envelope_from as "envelopeFrom", a.recipients, a.verdicts, a.bytes,
              a.region, a.bucket, a.object_key as "objectKey", a.tries`.execute(db);
  return rows[0];
}

/** All recipients have the message. Nothing of it is kept here but that it came. */
export async function markTaken(db: Db, id: string): Promise<void> {
  await sql`
    update inbound_arrivals
       set outcome = 'taken', note = null, bytes = null, envelope_from = '', recipients = '{}', object_key = null
     where id = ${id}`.execute(db);
}

/** It is tried again after so many seconds for those who do not have it. */
export async function postponeArrival(
  db: Db,
  id: string,
  { recipients, note, seconds }: { recipients: readonly string[]; note: string; seconds: number },
): Promise<void> {
  await sql`
    update inbound_arrivals
       set recipients = ${[...recipients]}::text[], note = ${note}, next_try_at = now() + make_interval(secs => ${seconds})
     where id = ${id}`.execute(db);
}

/** It is tried no more. */
export async function markRefused(
  db: Db,
  id: string,
  { recipients, note }: { recipients: readonly string[]; note: string },
): Promise<void> {
  await sql`
    update inbound_arrivals set outcome = 'refused', recipients = ${[...recipients]}::text[], note = ${note}
     where id = ${id}`.execute(db);
}

/** Bytes of refused messages go after `bytesDays`, and every row after `rowDays`. Returns how many it found. */
export async function forgetArrivals(
  db: Db,
  { bytesDays, rowDays, limit }: { bytesDays: number; rowDays: number; limit: number },
): Promise<number> {
  const rows = await removePage(
    db,
    sql`
      select id from inbound_arrivals
       where received_at < now() - make_interval(days => ${rowDays}) and outcome is not null
       order by received_at limit ${limit}`,
    sql`delete from inbound_arrivals where id in (select id from page)`,
  );
  const bytes = await removePage(
    db,
    sql`
      select id from inbound_arrivals
       where received_at < now() - make_interval(days => ${bytesDays}) and outcome = 'refused'
         and recipients <> '{}'
       order by received_at limit ${limit}`,
    sql`
      update inbound_arrivals set bytes = null, envelope_from = '', recipients = '{}'
       where id in (select id from page)`,
  );
  return rows + bytes;
}
