import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getContact } from '../get-contact.ts';
import { getSegment } from './change-segments.ts';
import { type Condition, type Group, isGroup } from './filter.ts';
import { matches } from './filter-queries.ts';
import { askEach } from './member-queries.ts';
import { openFilter } from './read-segment.ts';

/**
 * Says of every group and condition of a segment whether a contact meets it. Each is the same condition that the
 * segment is made of, asked in one statement, so that the explanation cannot differ from the segment.
 */
export async function explainSegment(ctx: Ctx, id: string, contactName: string | undefined) {
  const segment = await getSegment(ctx, id);
  if (contactName === undefined) throw invalid('contact', 'contact is required');
  const contact = await getContact(ctx, contactName);
  const { filter, scope } = await openFilter(ctx, segment.filter);
  const parts = partsOf(filter);
  const answers = await askEach(
    ctx.db,
    ctx.workspaceId,
    contact.id,
    parts.map((part) => matches(part, scope)),
  );
  const conditions = parts.map((part, place) => ({
    at: part.at,
    ...(isGroup(part) ? { match: part.match } : part.written),
    matches: answers[place] === true,
  }));
  return {
    segment_id: segment.id,
    contact_id: contact.id,
    matches: conditions[0]?.matches === true,
    conditions: conditions.slice(1),
  };
}

/** The group itself first. */
const partsOf = (group: Group): (Group | Condition)[] => [
  group,
  ...group.parts.flatMap((part) => (isGroup(part) ? partsOf(part) : [part])),
];
