import { Type } from 'typebox';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import { nullable } from '#platform/records/wire-types.ts';

const AUDIENCE_LIMITS = { contacts: 1_000, lists: 50 } as const;

/**
 * The contacts that a broadcast goes to: everybody who is named, on one of the lists or in the segment, each once. Or
 * the active subscribers of a newsletter, and then nobody else.
 */
export interface BroadcastAudience {
  listIds: string[];
  segmentId: string | null;
  /** Broadcasts from before have none. */
  newsletterId?: string | null;
  contactIds: string[];
  excludeListIds: string[];
}

export const NOBODY: BroadcastAudience = {
  listIds: [],
  segmentId: null,
  newsletterId: null,
  contactIds: [],
  excludeListIds: [],
};

const ids = (maxItems: number, description: string) =>
  Type.Array(Type.String({ format: 'uuid' }), { maxItems, description });

const fields = {
  list_ids: ids(AUDIENCE_LIMITS.lists, 'Everybody who is on one of these lists when it is sent.'),
  segment_id: nullable(
    Type.String({ format: 'uuid', description: 'Everybody who is in this segment when it is sent.' }),
  ),
  newsletter_id: nullable(
    Type.String({
      format: 'uuid',
      description:
        'The active subscribers of this newsletter when it is sent, with its links to unsubscribe. Instead of lists, ' +
        'segment and contacts.',
    }),
  ),
  contact_ids: ids(AUDIENCE_LIMITS.contacts, 'These contacts, too.'),
  exclude_list_ids: ids(AUDIENCE_LIMITS.lists, 'Nobody who is on one of these lists.'),
};

export const AudienceRecord = Type.Object(fields, { title: 'BroadcastAudience', additionalProperties: false });

export const AudienceInput = Type.Object(
  {
    list_ids: Type.Optional(fields.list_ids),
    segment_id: Type.Optional(fields.segment_id),
    newsletter_id: Type.Optional(fields.newsletter_id),
    contact_ids: Type.Optional(fields.contact_ids),
    exclude_list_ids: Type.Optional(fields.exclude_list_ids),
  },
  { title: 'BroadcastAudienceInput' },
);

export interface AudienceGiven {
  list_ids?: string[];
  segment_id?: string | null;
  newsletter_id?: string | null;
  contact_ids?: string[];
  exclude_list_ids?: string[];
}

const KNOWN = new Set(Object.keys(fields));

/** Each id once. 400 for a field that would choose other people: nothing that names an audience is passed over. */
export function readAudience(given: AudienceGiven): BroadcastAudience {
  const unknown = Object.keys(given).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    throw invalid('audience', `audience.${unknown} is not known. An audience has ${[...KNOWN].join(', ')}`);
  }
  const audience = {
    listIds: once(given.list_ids),
    segmentId: given.segment_id?.toLowerCase() ?? null,
    newsletterId: given.newsletter_id?.toLowerCase() ?? null,
    contactIds: once(given.contact_ids),
    excludeListIds: once(given.exclude_list_ids),
  };
  if (audience.newsletterId !== null && namesContacts(audience)) {
    throw unacceptable(
      'audience.newsletter_id',
      'A broadcast goes to a newsletter or to contacts. Leave out list_ids, segment_id and contact_ids, or newsletter_id.',
    );
  }
  return audience;
}

/** By a list, a segment or an id. */
export const namesContacts = ({ listIds, segmentId, contactIds }: BroadcastAudience): boolean =>
  listIds.length + contactIds.length > 0 || segmentId !== null;

const once = (given: readonly string[] = []): string[] => [...new Set(given.map((id) => id.toLowerCase()))];

export const audienceView = (audience: BroadcastAudience) => ({
  list_ids: audience.listIds,
  segment_id: audience.segmentId,
  newsletter_id: audience.newsletterId ?? null,
  contact_ids: audience.contactIds,
  exclude_list_ids: audience.excludeListIds,
});
