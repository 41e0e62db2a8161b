import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { VARIABLE_TYPES } from './stored-template.ts';

const KEY = {
  pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}(\\.[A-Za-z_][A-Za-z0-9_-]{0,63}){0,9}$',
  'x-says': 'must be a name such as name or customer.name',
} as const;

const Uuid = Type.String({ format: 'uuid', examples: ['0197f400-1c2d-7abc-8def-0123456789ab'] });
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] });
const Variables = Type.Record(Type.String(), Type.Unknown(), { examples: [{ name: 'Ada' }] });

const text = (max: number, description: string, example: string) =>
  Type.Optional(nullable(Type.String({ maxLength: max, description, examples: [example] })));

const BODY_CHARS_MAX = 2 * 1024 * 1024;

const content = {
  subject: text(998, 'Liquid. A send that gives no subject has this one.', 'Welcome {{ name }}'),
  preheader: text(500, 'Liquid. The line that inboxes show after the subject.', 'Good to have you here'),
  html: text(
    BODY_CHARS_MAX,
    "Liquid; outputs are escaped unless they end with `| raw`. `{% render 'alias' %}` is a partial.",
    '<p>Hi {{ name | default: "there" }}</p>',
  ),
  text: text(BODY_CHARS_MAX, 'Liquid. Made from `html` when there is none.', 'Hi {{ name | default: "there" }}'),
  from: text(998, 'The sender of a send that gives none.', 'Acme <hello@posthorn.test>'),
  reply_to: Type.Optional(
    Type.Array(Type.String({ maxLength: 998 }), { maxItems: 10, description: 'For sends that give none.' }),
  ),
  layout: text(100, 'The alias or the id of the template around it, which has a place `{{ content }}`.', 'frame'),
  variables: Type.Optional(
    Type.Array(
      Type.Object({
        key: Type.String(KEY),
        type: Type.Optional(Type.Enum(VARIABLE_TYPES)),
        required: Type.Optional(Type.Boolean()),
        fallback: Type.Optional(Type.Unknown()),
      }),
      {
        maxItems: 200,
        description:
          'The variables whose type, need or fallback reading the template does not find out. A fallback stands in for a missing one.',
      },
    ),
  ),
  samples: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), variables: Variables }), {
      maxItems: 20,
      description: 'Data to look at it with. A version is published only when all of them render.',
    }),
  ),
  publish: Type.Optional(
    Type.Boolean({ default: true, description: 'false: the version is a draft, and what sends stays as it is.' }),
  ),
};

const Name = Type.String({ minLength: 1, maxLength: 200, examples: ['Welcome'] });
const Alias = nullable(
  Type.String({
    pattern: '^[a-z0-9][a-z0-9-_]{0,99}$',
    'x-says': 'must be 1 to 100 of a-z, 0-9, - and _, and begin with a letter or a digit',
    description: 'A name for it in requests, unique in the workspace.',
    examples: ['welcome'],
  }),
);

export const CreateTemplateBody = Type.Object({ name: Name, alias: Type.Optional(Alias), ...content });
export const UpdateTemplateBody = Type.Object({ name: Type.Optional(Name), alias: Type.Optional(Alias), ...content });

export const TemplateParams = Type.Object({
  id: Type.String({ description: 'The id or the alias of the template.', examples: ['welcome'] }),
});
export const VersionQuery = Type.Object({
  version: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,8}$',
      'x-says': 'must be a whole number from 1',
      description: 'This version; the newest when left out.',
    }),
  ),
});
export const DeleteQuery = Type.Object({
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true`: also when others are made of it. They keep their copies.' }),
  ),
});
export const TemplatesQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'In the name or the alias.' })),
  status: Type.Optional(Type.Enum(['draft', 'published'])),
});
export const PageQuery = Type.Object(pageQuery);

const summary = {
  id: Uuid,
  name: Type.String(),
  alias: nullable(Type.String()),
  version: Version,
  published_version: nullable(Type.Integer({ description: 'The version that sends; null: none was published yet.' })),
  status: Type.Enum(['draft', 'published']),
};
const times = { created_at: Instant, updated_at: Instant };
export const TemplateSummary = Type.Object(
  { ...summary, ...times },
  { title: 'TemplateSummary', additionalProperties: false },
);

const nullableText = nullable(Type.String());
export const TemplateRecord = Type.Object(
  {
    ...summary,
    subject: nullableText,
    preheader: nullableText,
    html: nullableText,
    text: nullableText,
    from: nullableText,
    reply_to: Type.Array(Type.String()),
    layout: nullableText,
    variables: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          type: Type.Enum(VARIABLE_TYPES),
          required: Type.Boolean(),
          fallback: Type.Unknown(),
          declared: Type.Boolean({ description: 'false: found by reading the template, and gone when the text is.' }),
        },
        { title: 'TemplateVariable' },
      ),
    ),
    samples: Type.Array(Type.Object({ name: Type.String(), variables: Variables })),
    ...times,
  },
  { title: 'Template', additionalProperties: false },
);

export const TemplateVersionRecord = Type.Object(
  {
    version: Version,
    status: Type.Enum(['draft', 'published', 'superseded'], {
      description: '`published`: it sends. `superseded`: it did, and may be named by sends.',
    }),
    created_at: Instant,
    created_by: nullable(Type.String({ description: 'The user or the API key.' })),
  },
  { title: 'TemplateVersion', additionalProperties: false },
);

export const RenderBody = Type.Object({
  variables: Type.Optional(nullable(Variables)),
  version: Type.Optional(nullable(Version)),
});
export const Rendered = Type.Object(
  {
    subject: nullableText,
    preheader: nullableText,
    html: nullableText,
    text: nullableText,
    missing: Type.Array(Type.String(), { description: 'Required variables that were not given: a send is refused.' }),
  },
  { title: 'RenderedTemplate', additionalProperties: false },
);

export const SendTestBody = Type.Object({
  to: Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] }),
  variables: Type.Optional(nullable(Variables)),
  version: Type.Optional(nullable(Version)),
});
export const TestSent = Type.Object(
  { success: Type.Literal(true), to: Type.String(), emailId: Uuid },
  { title: 'TemplateTestSent', additionalProperties: false },
);

export const PublishBody = Type.Object({
  version: Type.Optional(nullable(Version)),
});
export const RollbackBody = Type.Object({ version: Version });
export const DuplicateBody = Type.Object({ name: Type.Optional(Name), alias: Type.Optional(Alias) });

export const UsedBy = Type.Object(
  {
    templates: Type.Array(
      Type.Object({ id: Uuid, name: Type.String(), alias: nullable(Type.String()) }, { title: 'TemplateUser' }),
      { description: 'Templates whose newest or published version is made of this one, at most 100.' },
    ),
    scheduled_emails: Type.Array(
      Type.Object({ id: Uuid, scheduled_for: Instant }, { title: 'TemplateScheduledEmail' }),
      {
        description: 'Scheduled emails that wait to be sent with it, the newest first, at most 100.',
      },
    ),
    automations: Type.Array(Type.Object({ id: Uuid, name: Type.String() }, { title: 'TemplateAutomation' }), {
      description: 'Enabled automations that send it, at most 100.',
    }),
  },
  { title: 'TemplateUsedBy', additionalProperties: false },
);
export const Deleted = Type.Object({ success: Type.Literal(true) }, { title: 'Success', additionalProperties: false });
