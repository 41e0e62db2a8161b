import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { recordEvents } from '../events/record-events.ts';
import type { WrittenCondition, WrittenFilter } from './filter.ts';

export interface Mail {
  broadcastId: string | null;
  sentAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
  sandbox: boolean;
}

/** All that a segment can ask about one person. */
export interface Person {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  timezone: string | null;
  language: string | null;
  unsubscribedAt: Date | null;
  createdAt: Date;
  properties: Record<string, string | number | boolean>;
  lists: string[];
  mails: Mail[];
  /** Of `POST /v1/events`. */
  events: { name: string; at: Date }[];
}

/** Stores people with their lists and mail. */
export async function storePeople(db: Db, workspaceId: string, people: readonly Person[]): Promise<void> {
  const broadcasts = [...new Set(people.flatMap(({ mails }) => mails.map(({ broadcastId }) => broadcastId)))];
  const sends = new Map(broadcasts.map((id) => [id, newId()]));
  for (const [broadcastId, id] of sends) {
    await sql`
      insert into send_requests (workspace_id, id, content_id, source, total, broadcast_id)
      values (${workspaceId}, ${id}, ${newId()}, 'api', 1, ${broadcastId})`.execute(db);
  }
  for (const person of people) {
    await sql`
      insert into contacts (workspace_id, id, email, first_name, last_name, name, properties, unsubscribed_at, timezone,
        language, created_at)
      values (${workspaceId}, ${person.id}, ${person.email}, ${person.firstName}, ${person.lastName}, ${person.name},
        ${JSON.stringify(person.properties)}::jsonb, ${person.unsubscribedAt}, ${person.timezone}, ${person.language},
        ${person.createdAt})`.execute(db);
    await sql`
      insert into contact_list_members (workspace_id, list_id, contact_id)
      select ${workspaceId}, l.id, ${person.id} from unnest(${person.lists}::uuid[]) as l (id)`.execute(db);
    for (const { name, at } of person.events.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
      await recordEvents(db, [{ workspaceId, email: person.email, name, at }]);
    }
    for (const mail of person.mails) {
      await sql`
        insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, sandbox, sent_at,
          first_opened_at, first_clicked_at)
        values (${workspaceId}, ${newId()}, ${sends.get(mail.broadcastId)}, ${newId()}, ${person.email},
          ${mail.broadcastId === null ? 1 : 2}, 1, ${mail.sentAt === null ? 'failed' : 'sent'}, ${mail.sandbox},
          ${mail.sentAt}, ${mail.openedAt}, ${mail.clickedAt})`.execute(db);
    }
  }
}

/**
 * Says whether a person meets a filter as it was written: the rules once more, without SQL and without the reader, for
 * comparison.
 */
export function meets(
  part: WrittenFilter | WrittenCondition,
  person: Person,
  around: { segments: ReadonlyMap<string, WrittenFilter>; now: Date },
): boolean {
  if ('match' in part) {
    const answers = part.conditions.map((one) => meets(one, person, around));
    return part.match === 'all' ? answers.every(Boolean) : answers.some(Boolean);
  }
  const [kind = '', name = ''] = part.field.split(':');
  if (kind === 'list') return person.lists.includes(name) === (part.op === 'is_true');
  if (kind === 'segment') {
    const named = around.segments.get(name);
    return (named !== undefined && meets(named, person, around)) === (part.op === 'is_true');
  }
  if (kind === 'received_event') {
    const times = person.events.filter((event) => event.name === name).map(({ at }) => at);
    return meetsCount(times, part, around);
  }
  if (['sent', 'received', 'opened', 'clicked'].includes(kind)) return meetsActivity(kind, name, part, person, around);
  if (kind === 'property') return meetsValue(person.properties[name] ?? null, part);
  return meetsValue(valueOf(kind, person), part);
}

function valueOf(field: string, person: Person): string | number | boolean | Date | null {
  const whole = [person.firstName, person.lastName].filter((one) => one !== null).join(' ');
  const values: Record<string, string | boolean | Date | null> = {
    email: person.email,
    domain: person.email.split('@')[1] ?? '',
    name: person.name ?? (whole === '' ? null : whole),
    first_name: person.firstName,
    last_name: person.lastName,
    timezone: person.timezone,
    language: person.language,
    created_at: person.createdAt,
    unsubscribed: person.unsubscribedAt !== null,
  };
  return values[field] ?? null;
}

const instant = (value: unknown): number =>
  value instanceof Date
    ? value.getTime()
    : Date.parse(String(value).length === 10 ? `${String(value)}T00:00:00Z` : String(value));

function meetsValue(held: string | number | boolean | Date | null, { op, value }: WrittenCondition): boolean {
  const text = String(held).toLowerCase();
  const wanted = String(value).toLowerCase();
  const isTime = held instanceof Date || (/^\d{4}-\d\d-\d\d/.test(String(held)) && /^\d{4}-/.test(wanted));
  const equal =
    held !== null && (isTime ? instant(held) === instant(value) : text === wanted || Number(held) === Number(value));
  switch (op) {
    case 'is_set':
      return held !== null;
    case 'is_not_set':
      return held === null;
    case 'is_true':
      return held === true;
    case 'is_false':
      return held === false;
    case 'equals':
      return equal;
    case 'not_equals':
      return !equal;
    case 'contains':
      return held !== null && text.includes(wanted);
    case 'starts_with':
      return held !== null && text.startsWith(wanted);
    case 'ends_with':
      return held !== null && text.endsWith(wanted);
    case 'gt':
      return held !== null && Number(held) > Number(value);
    case 'lt':
      return held !== null && Number(held) < Number(value);
    case 'before':
      return held !== null && instant(held) < instant(value);
    case 'after':
      return held !== null && instant(held) > instant(value);
    default:
      throw new Error(`no operation ${op}`);
  }
}

function meetsActivity(
  kind: string,
  id: string,
  part: WrittenCondition,
  { mails }: Person,
  around: { now: Date },
): boolean {
  const timeOf = (mail: Mail): Date | null =>
    kind === 'opened' ? mail.openedAt : kind === 'clicked' ? mail.clickedAt : mail.sentAt;
  if (id !== '') {
    const found = mails.some((mail) => mail.broadcastId === id && timeOf(mail) !== null);
    return found === (part.op === 'is_true');
  }
  const times = mails.filter((mail) => !mail.sandbox).map(timeOf);
  return meetsCount(times, part, around);
}

function meetsCount(
  times: readonly (Date | null)[],
  { op, count, within }: WrittenCondition,
  { now }: { now: Date },
): boolean {
  const [number = '0', unit = 'days'] = within?.split(' ') ?? [];
  const hours = Number(number) * (unit.startsWith('day') ? 24 : unit.startsWith('week') ? 168 : 1);
  const since = within === undefined ? Number.NEGATIVE_INFINITY : now.getTime() - hours * 3_600_000;
  const many = times.filter((time) => (time?.getTime() ?? Number.NaN) >= since).length;
  return op === 'none' ? many === 0 : many >= (count ?? 1);
}
