import { type TSchema, Type } from 'typebox';
import { instant, nullable } from '#platform/records/wire-types.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { TARGET_TYPES } from './target-type.ts';
import type { ExportSource } from './transfer-target.ts';

const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });
const Id = Type.String({ format: 'uuid' });
const Count = Type.Integer({ minimum: 0 });
const Flag = (description: string) => Type.Optional(Type.Enum(['true', 'false'], { description, examples: ['true'] }));

export const TransferParams = Type.Object({ id: Type.String() });

export const ImportQuery = Type.Object({
  on_conflict: Type.Optional(
    Type.Enum(['upsert', 'skip'], {
      description:
        'For people who are already on the list: `skip` (the default) fills empty fields only, `upsert` ' +
        'overwrites name, source and metadata. Neither changes a status.',
      examples: ['skip'],
    }),
  ),
  dry_run: Flag('true: report the result without changing anything.'),
  consent: Type.Optional(
    Type.Enum(['already_confirmed'], {
      description:
        'You confirm that everybody in the file has agreed: they become active. Without it they are pending. A ' +
        'newsletter with double opt-in needs this or `send_confirmation`; without both the answer is 422.',
      examples: ['already_confirmed'],
    }),
  ),
  send_confirmation: Flag('true: pending people get the confirmation email, slowly, in the background.'),
  emit_events: Flag(
    'true: every new person causes an event for webhooks and automations. By default an import causes no events.',
  ),
  source: Type.Optional(
    Type.String({ maxLength: 200, description: 'The source of rows without one.', examples: ['mailchimp'] }),
  ),
  column_map: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'JSON object of column names and fields, for columns that are not recognised.',
      examples: ['{"E-Mail privat":"email","Kunde seit":"metadata.since"}'],
    }),
  ),
  other_columns: Type.Optional(
    Type.Enum(['ignore', 'metadata'], {
      description: '`metadata` stores them under their names.',
      examples: ['ignore'],
    }),
  ),
});

/** The fields of `POST /v1/imports`: the options of the query, and besides them what the address says elsewhere. */
export const ImportForm = Type.Object({
  file: Type.String({ description: 'CSV or JSON Lines in UTF-8, plain or packed with gzip, up to 512 MB.' }),
  target: Type.String({
    maxLength: 200,
    pattern: '^(\\{.*\\}|(newsletter|list|suppression):[0-9a-f-]{36}|suppression)$',
    'x-says': 'must be {"type":"list","id":"…"} or list:<id>, with the type newsletter or list, or suppression',
    description:
      'The list that the people come on: `{"type":"newsletter","id":"…"}`, or `newsletter:<id>`. `suppression` ' +
      'needs no id.',
    examples: ['list:0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'],
  }),
  ...ImportQuery.properties,
});

export const ColumnMapQuery = Type.Object({
  target_type: Type.Enum([...TARGET_TYPES], { examples: ['list'] }),
  columns: Type.String({
    maxLength: 10_000,
    description: 'JSON array of the names of the columns, in the order of the file.',
    examples: ['["E-Mail privat","Kunde seit"]'],
  }),
});

export const RememberedColumnMap = Type.Object(
  {
    import_id: nullable(Id),
    column_map: nullable(Type.Record(Type.String(), Type.String(), { examples: [{ 'E-Mail privat': 'email' }] })),
    other_columns: nullable(Type.Enum(['ignore', 'metadata'])),
  },
  { title: 'RememberedColumnMap', additionalProperties: false },
);

export const ImportsQuery = Type.Object({
  ...pageQuery,
  newsletter_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only into this newsletter.' })),
});

export const Import = Type.Object(
  {
    id: Id,
    status: Type.Enum(['queued', 'processing', 'completed', 'failed', 'cancelled', 'undone']),
    target: Type.Object({ type: Type.Enum([...TARGET_TYPES]), id: Id }, { additionalProperties: false }),
    format: Type.Enum(['csv', 'jsonl']),
    on_conflict: Type.Enum(['upsert', 'skip']),
    dry_run: Type.Boolean(),
    consent: nullable(Type.Literal('already_confirmed')),
    send_confirmation: Type.Boolean(),
    counts: Type.Object(
      { total: Count, created: Count, updated: Count, skipped: Count, failed: Count },
      { additionalProperties: false, description: 'Of the rows so far; `total` is their sum.' },
    ),
    removed: Type.Integer({ minimum: 0, description: 'Rows that an undo has removed.' }),
    confirmations_sent: Count,
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Of the bytes of the file.' }),
    columns: nullable(
      Type.Object(
        { recognised: Type.Array(Type.String()), ignored: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
    ),
    errors_url: nullable(
      Type.String({ description: 'Results of rows that were skipped or failed, as CSV, for 7 days.' }),
    ),
    error: nullable(Type.String()),
    can_undo: Type.Boolean(),
    created_by: Type.Object(
      {
        type: Type.String({ examples: ['user'], description: 'user or api_key.' }),
        id: nullable(Type.String()),
        email: nullable(Type.String({ description: 'Of a user, at the time of the import.' })),
      },
      { additionalProperties: false, description: 'The caller, who declared the consent of an import that has one.' },
    ),
    created_at: Instant,
    started_at: nullable(Instant),
    completed_at: nullable(Instant),
    undone_at: nullable(instant('When the undo had removed everybody; null while it works.')),
  },
  { title: 'Import', additionalProperties: false },
);

const Staying = (description: string) => Type.Integer({ minimum: 0, description });

export const UndoCount = Type.Object(
  {
    removes: Type.Integer({ minimum: 0, description: 'People whom an undo removes, from a list or altogether.' }),
    stays: Type.Object(
      {
        total: Count,
        unsubscribed: Staying('Have left: they stay so that no import adds them again.'),
        confirmed: Staying('Have confirmed since.'),
        asked: Staying('Were sent the confirmation email since, and may still follow its link.'),
        on_other_lists: Staying('Contacts who are on other lists.'),
        changed: Staying('Were changed since in another way.'),
      },
      {
        additionalProperties: false,
        description:
          'People whom the import added and who stay. A contact who stays is still taken off the list, if the import ' +
          'put them on it.',
      },
    ),
  },
  { title: 'ImportUndo', additionalProperties: false },
);

export const ResultsQuery = Type.Object({
  result: Type.Optional(Type.Enum(['failed'], { description: 'Only rows that failed.', examples: ['failed'] })),
});

const Format = Type.Enum(['csv', 'jsonl'], { examples: ['csv'] });
/** One of these; a single one stands for itself. */
const oneOf = (schemas: readonly TSchema[]): TSchema => {
  const [first, ...others] = schemas;
  return first === undefined || others.length > 0 ? Type.Union([...schemas]) : first;
};

/** The body of `POST /v1/exports`: for each kind of list its name and its own filters. */
export const createExportBody = (sources: readonly ExportSource[]): TSchema =>
  oneOf(
    sources.map(({ resource, filters }) =>
      Type.Object(
        { resource: Type.Literal(resource), filters: filters.asked, format: Type.Optional(Format) },
        { title: `${resource.replace(/^./, (letter) => letter.toUpperCase())}ExportRequest` },
      ),
    ),
  );

export const exportRecord = (sources: readonly ExportSource[]): TSchema =>
  Type.Object(
    {
      id: Id,
      resource: oneOf(sources.map(({ resource }) => Type.Literal(resource))),
      filters: oneOf(sources.map(({ filters }) => filters.shown)),
      format: Type.Enum(['csv', 'jsonl']),
      status: Type.Enum(['queued', 'processing', 'completed', 'failed']),
      rows: Type.Integer({ minimum: 0, description: 'Written so far.' }),
      url: nullable(Type.String({ description: 'Where the file is, for 24 hours; needs no key.' })),
      expires_at: nullable(Instant),
      error: nullable(Type.String()),
      created_at: Instant,
      completed_at: nullable(Instant),
    },
    { title: 'Export', additionalProperties: false },
  );

export const FileQuery = Type.Object({ token: Type.String({ maxLength: 500, examples: ['eyJ…'] }) });
