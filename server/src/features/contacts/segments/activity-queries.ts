import { type RawBuilder, sql } from 'kysely';
import type { ActivityVerb, ContactTest } from './filter.ts';

/** The time at which the mail did so, of an email called `e`. A person opened or clicked it; machines count nothing. */
const timeOf = (verb: ActivityVerb | 'received'): RawBuilder<unknown> => {
  switch (verb) {
    case 'sent':
    case 'received':
      return sql`e.sent_at`;
    case 'opened':
      return sql`e.first_opened_at`;
    case 'clicked':
      return sql`e.first_clicked_at`;
    default:
      return verb satisfies never;
  }
};

/** The addresses of a contact `c`: also those that it had before and nobody else has taken. */
const addresses = (workspaceId: string): RawBuilder<unknown> => sql`
  select c.email as address
  union all
  select f.email from contact_former_addresses f
   where f.workspace_id = ${workspaceId} and f.contact_id = c.id
     and not exists (select from contacts o where o.workspace_id = ${workspaceId} and o.email = f.email)`;

/** Whether an email of this bulk send went to a contact `c`, and was opened or clicked. */
export const mailOfSend = (
  workspaceId: string,
  { verb, id }: Extract<ContactTest, { kind: 'mail of send' }>,
): RawBuilder<unknown> => sql`exists (
  select from send_requests r
    join (${addresses(workspaceId)}) a on true
    join emails e on e.workspace_id = ${workspaceId} and e.send_id = r.id and e.recipient = a.address and e.lane = 2
   where r.workspace_id = ${workspaceId} and (r.issue_id = ${id} or r.broadcast_id = ${id})
     and ${timeOf(verb)} is not null)`;

/**
 * Whether so many emails to a contact `c` were sent, opened or clicked, or none. It looks at no more emails than it
 * needs. Mail of test keys reaches nobody and does not count.
 */
export function activityOf(
  workspaceId: string,
  { verb, atLeast, withinMs }: Extract<ContactTest, { kind: 'activity' }>,
  at: Date,
): RawBuilder<boolean> {
  const time = timeOf(verb);
  const since = withinMs === null ? sql`` : sql`and ${time} >= ${new Date(at.getTime() - withinMs)}`;
  const emails = sql`
    select from (${addresses(workspaceId)}) a
      join emails e on e.workspace_id = ${workspaceId} and e.recipient = a.address
     where not e.sandbox and ${time} is not null ${since}`;
  if (atLeast === null) return sql<boolean>`(not exists (${emails}))`;
  if (atLeast === 1) return sql<boolean>`(exists (${emails}))`;
  return sql<boolean>`((select count(*) from (${emails} limit ${atLeast}) counted) = ${atLeast})`;
}

/** Whether an event of the caller's own happened so often to a contact `c`, or not at all. */
export function eventOf(
  workspaceId: string,
  { name, atLeast, withinMs }: Extract<ContactTest, { kind: 'event' }>,
  at: Date,
): RawBuilder<boolean> {
  const needed = atLeast ?? 1;
  const often =
    withinMs === null
      ? sql`v.count >= ${needed}`
      : sql`v.times[${needed}::integer] >= ${new Date(at.getTime() - withinMs)}`;
  const found = sql`exists (
    select from contact_events v
     where v.workspace_id = ${workspaceId} and v.contact_id = c.id and v.name = ${name} and ${often})`;
  return atLeast === null ? sql<boolean>`(not ${found})` : sql<boolean>`(${found})`;
}
