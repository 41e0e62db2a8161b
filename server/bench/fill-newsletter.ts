import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { aNewsletter } from '../test/harness/builders.ts';

export interface FilledNewsletter {
  newsletterId: string;
  issueIds: string[];
  /** How long the rows took. */
  subscribersSeconds: number;
  emailsSeconds: number;
}

const PAGE = 50_000;

/**
 * A newsletter as it looks after years: people with ordinary addresses and names, nine of ten active, and issues that
 * went to all of them. Set-based, so that a million takes a minute or two; `emails` are spread over issues that each
 * went to everybody.
 */
export async function fillNewsletter(
  db: Db,
  workspaceId: string,
  { subscribers, emails }: { subscribers: number; emails: number },
): Promise<FilledNewsletter> {
  const { id: newsletterId } = await aNewsletter(db, workspaceId);
  const filling = performance.now();
  for (let from = 1; from <= subscribers; from += PAGE) {
    await sql`
      insert into subscribers (workspace_id, id, newsletter_id, email, name, source, metadata, status, confirmed_at,
        unsubscribed_at, consent, created_at, updated_at)
      select ${workspaceId}, ph_uuidv7(), ${newsletterId},
             (array['ada','bob','carla','dmitri','eve','farid','grace','hugo','ines','jun'])[1 + n % 10] || '.'
               || substr(md5(n::text), 1, 6) || case when n % 50 = 0 then '_x' when n % 77 = 0 then '%25' else '' end || n
               || '@' || (array['gmail.com','example.com','outlook.com','firma' || n % 5000 || '.example'])[1 + n % 4],
             case when n % 3 > 0 then
               initcap(substr(md5((n * 7)::text), 1, 5)) || ' ' || initcap(substr(md5((n * 13)::text), 1, 8)) end,
             (array['website','footer','fair','import'])[1 + n % 4], jsonb_build_object('plan', 'free', 'n', n),
             case n % 20 when 0 then 'pending' when 1 then 'unsubscribed' else 'active' end,
             case n % 20 when 0 then null else now() - make_interval(secs => ${subscribers} - n) end,
             case n % 20 when 1 then now() end, '{"method":"double_opt_in"}',
             now() - make_interval(secs => ${subscribers} - n), now()
        from generate_series(${from}::integer, ${Math.min(subscribers, from + PAGE - 1)}::integer) as n`.execute(db);
  }
  const subscribersSeconds = (performance.now() - filling) / 1_000;
  const sending = performance.now();
  const issueIds: string[] = [];
  for (let left = emails; left > 0; left -= subscribers) {
    issueIds.push(await fillIssue(db, workspaceId, newsletterId, Math.min(left, subscribers), issueIds.length + 1));
  }
  const emailsSeconds = (performance.now() - sending) / 1_000;
  await sql`vacuum analyze subscribers, emails, subscriber_counts, send_counts`.execute(db);
  return { newsletterId, issueIds, subscribersSeconds, emailsSeconds };
}

/** An issue that went to the first `count` people in the order of addresses. */
async function fillIssue(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  count: number,
  number: number,
): Promise<string> {
  const [issueId, sendId, contentId] = [newId(), newId(), newId()];
  await sql`
    insert into contents (workspace_id, id, from_address, from_name, from_domain, subject, html, text)
    values (${workspaceId}, ${contentId}, 'news@posthorn.test', 'Acme', 'posthorn.test', ${`Issue ${number}`},
      '<p>Hello</p>', null)`.execute(db);
  await sql`
    insert into send_requests (workspace_id, id, content_id, source, total, newsletter_id, issue_id, bulk_state, frozen_at,
      released_at)
    values (${workspaceId}, ${sendId}, ${contentId}, 'issue', ${count}, ${newsletterId}, ${issueId}, 'released', now(),
      now())`.execute(db);
  await sql`
    insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body, status, started_at, sent_at, send_id,
      total_recipients)
    values (${workspaceId}, ${issueId}, ${newsletterId}, ${`issue-${number}`}, ${`Issue ${number}`}, '<p>Hello</p>', 'sent',
      now(), now(), ${sendId}, ${count})`.execute(db);
  for (let after = '', left = count; left > 0; left -= PAGE) {
    const { rows } = await sql<{ last: string }>`
      with page as materialized (
        select s.id, s.email, row_number() over () as n from subscribers s
         where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.email > ${after}
         order by s.email limit ${Math.min(PAGE, left)}
      ), written as (
        insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts, sent_at,
          delivered_at, last_event_at, subscriber_id, open_count, first_opened_at, click_count)
        select ${workspaceId}, ph_uuidv7(), ${sendId}, ${contentId}, p.email, 2, 0,
               case when p.n % 20000 = 0 then 'bounced' when p.n % 50 = 0 then 'failed' else 'delivered' end, 1, now(),
               now(), now(), p.id, (p.n % 3 = 0)::integer, case when p.n % 3 = 0 then now() end, (p.n % 20000 = 3)::integer
          from page p
      )
      select max(email) as last from page`.execute(db);
    after = rows[0]?.last ?? after;
  }
  await sql`
    insert into send_counts (workspace_id, send_id, total, sent, delivered, refused, bounced, opened, clicked,
      first_event_at, last_event_at)
    select ${workspaceId}, ${sendId}, ${count}, count(*) filter (where e.status <> 'failed'),
           count(*) filter (where e.status = 'delivered'), count(*) filter (where e.status = 'failed'),
           count(*) filter (where e.status = 'bounced'), sum(e.open_count), sum(e.click_count), now(), now()
      from emails e where e.workspace_id = ${workspaceId} and e.send_id = ${sendId}`.execute(db);
  return issueId;
}
