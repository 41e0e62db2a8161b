import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { LINES } from '#platform/records/text-patterns.ts';
import { SUPPRESSION_REASONS } from './suppression.ts';

const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });

const ADDRESS_CHARS_MAX = 1_000;
const BATCH_MAX = 1_000;
const NOTE_CHARS_MAX = 1_000;

const Email = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'Compared in lower case, the domain in ASCII.',
  examples: ['ada@example.com'],
});
const Note = Type.String({
  maxLength: NOTE_CHARS_MAX,
  ...LINES,
  description: 'For people.',
  examples: ['Asked by phone'],
});
const GivenReason = Type.Enum(['manual', 'unsubscribe'], {
  description: '`manual` when left out. The other reasons are for providers to report, or for an import.',
  examples: ['manual'],
});

const Reason = Type.Enum([...SUPPRESSION_REASONS], { title: 'SuppressionReason', examples: ['hard_bounce'] });

const filter = {
  search: Type.Optional(
    Type.String({ maxLength: 254, description: 'Part of the address.', examples: ['@example.com'] }),
  ),
  reason: Type.Optional(Reason),
};
export const SuppressionsQuery = Type.Object({ ...pageQuery, ...filter });
export const ExportQuery = Type.Object(filter);

export const SuppressionParams = Type.Object({
  id_or_email: Type.String({
    description: 'The address (percent-encoded where a URL needs it), or the id.',
    examples: ['ada@example.com'],
  }),
});

export const AddSuppressionBody = Type.Object({
  email: Email,
  reason: Type.Optional(GivenReason),
  note: Type.Optional(nullable(Note)),
  expires_at: Type.Optional(nullable(Instant)),
});

export const BatchBody = Type.Object({
  emails: Type.Array(Type.Union([Email, Type.Object({ email: Email, note: Type.Optional(nullable(Note)) })]), {
    minItems: 1,
    maxItems: BATCH_MAX,
    description: 'Addresses, or addresses with a note each.',
    examples: [['ada@example.com', 'bob@example.com']],
  }),
  reason: Type.Optional(GivenReason),
  note: Type.Optional(nullable(Note)),
});

export const Suppression = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    reason: Reason,
    source_email_id: nullable(Type.String({ description: 'The email whose bounce or complaint it was.' })),
    note: nullable(Type.String()),
    soft_bounce_count: Type.Integer({
      description: 'Transient bounces since the last delivery, up to 5.',
      examples: [0],
    }),
    expires_at: nullable(Instant),
    created_at: Instant,
  },
  { title: 'Suppression', additionalProperties: false },
);

const Count = Type.Integer({ minimum: 0 });
export const BatchAnswer = Type.Object(
  { success: Type.Literal(true), added: Count, existing: Count },
  { additionalProperties: false },
);
export const Removed = Type.Object({ success: Type.Literal(true) }, { title: 'Success', additionalProperties: false });

export const ImportQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: report the result without changing anything.',
      examples: ['true'],
    }),
  ),
  reason: Type.Optional(
    Type.Enum([...SUPPRESSION_REASONS], {
      description: 'The reason for rows without one; `manual` when left out.',
      examples: ['hard_bounce'],
    }),
  ),
});
export const ImportAnswer = Type.Object(
  {
    success: Type.Literal(true),
    dry_run: Type.Boolean(),
    total: Type.Integer({ description: 'Rows, without the header and empty lines.' }),
    added: Type.Integer({ description: 'Addresses that were not suppressed before.' }),
    existing: Type.Integer({
      description: 'Addresses that were already suppressed; their reason may have become a stronger one.',
    }),
    duplicates: Type.Integer({ description: 'Rows whose address occurs earlier in the file.' }),
    invalid: Type.Integer({ description: 'Rows that were skipped.' }),
    errors: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }, { additionalProperties: false }), {
      description: 'The first 100 of them.',
    }),
  },
  { additionalProperties: false },
);
