import { type Static, Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';

const METHODS = ['double_opt_in', 'single_opt_in', 'attested', 'import'] as const;
const TEXT_CHARS_MAX = 1_000;

/** The answer of the API: every field, also when nothing is known. Times are ISO 8601. */
export const ConsentSummaryRecord = Type.Object(
  {
    method: nullable(
      Type.Enum([...METHODS], {
        description:
          'attested: the caller of the API vouched for the consent. import: the person who imported the file did.',
      }),
    ),
    signup_at: nullable(Type.String({ examples: ['2026-11-20T10:00:00.000Z'] })),
    signup_ip: nullable(Type.String()),
    signup_user_agent: nullable(Type.String()),
    signup_url: nullable(Type.String()),
    signup_via: nullable(Type.Enum(['public', 'api', 'import'])),
    confirmed_at: nullable(Type.String({ examples: ['2026-11-20T10:03:00.000Z'] })),
    confirmed_ip: nullable(Type.String()),
    confirmed_user_agent: nullable(Type.String()),
  },
  {
    title: 'ConsentSummary',
    additionalProperties: false,
    description: 'The way the subscriber joined the list; null when unknown. All consents are at `/consents`.',
  },
);

type Summary = Static<typeof ConsentSummaryRecord>;
const FIELDS = Object.keys(ConsentSummaryRecord.properties) as (keyof Summary)[]; // exactly the fields of the schema

/** The way a person joined a list, and the evidence. Stored with the person; unknown fields may be left out. */
export type ConsentSummary = Partial<Summary>;

export const consentSummaryView = (consent: ConsentSummary): Summary =>
  Object.fromEntries(FIELDS.map((field) => [field, consent[field] ?? null])) as Summary; // every field

/** Of a file that an export of ours may have been: only our fields, and short texts. */
export function readConsentSummary(given: Readonly<Record<string, unknown>>): ConsentSummary {
  const kept = FIELDS.filter((field) => {
    const value = given[field];
    if (field === 'method') return METHODS.some((method) => method === value);
    return value === null || (typeof value === 'string' && value.length <= TEXT_CHARS_MAX);
  });
  return Object.fromEntries(kept.map((field) => [field, given[field]])) as ConsentSummary; // judged above
}
