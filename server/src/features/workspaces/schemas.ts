import { type TSchema, Type } from 'typebox';
import { SHOWN_LINE } from '#platform/records/text-patterns.ts';
import { ROLES } from './permissions/role-permissions.ts';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });
export const Id = Type.String({ format: 'uuid', examples: ['0197f400-1c2d-7abc-8def-0123456789ab'] });
export const EmailText = Type.String({ minLength: 3, maxLength: 320, examples: ['ada@example.com'] });

/** Text that people read: at least one character that is not white space, no control characters. */
export const shortText = (description: string, example: string, max = 200) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    ...SHOWN_LINE,
    description,
    examples: [example],
  });

export const Role = Type.Enum([...ROLES], {
  title: 'Role',
  description:
    'owner: everything. admin: everything but deleting the workspace. developer: keys, domains, webhooks, sending. ' +
    'editor: newsletters, issues, templates, contacts, no sending. publisher: editor and sending. viewer: reading.',
  examples: ['developer'],
});

export const Success = Type.Object({ success: Type.Literal(true) }, { title: 'Success', additionalProperties: false });
export const SuccessWithMessage = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'SuccessWithMessage', additionalProperties: false },
);

const workspaceFields = {
  id: Id,
  name: Type.String({ examples: ['Acme'] }),
  slug: Type.String({ examples: ['acme'], description: 'Made from the first name; never changes.' }),
  timezone: Type.String({
    examples: ['Europe/Berlin'],
    description: 'IANA name; an old one is kept under the name of today.',
  }),
  plan: Type.String({ examples: ['free'] }),
  edition: Type.Enum(['cloud', 'self-hosted']),
  status: Type.Enum(['active', 'paused', 'blocked'], {
    description:
      'Set by the operator. paused: sends are refused and waiting mail is held. blocked: the API answers 403, and waiting mail is cancelled.',
  }),
  is_home: Type.Boolean({
    examples: [false],
    description: 'The workspace of the first start: it sends the mail of the installation and cannot be deleted.',
  }),
  track_opens: Type.Boolean({
    examples: [false],
    description: 'Whether a send without `trackOpens` has a pixel that counts opens.',
  }),
  track_clicks: Type.Boolean({
    examples: [false],
    description: 'Whether the links of a send without `trackClicks` are tracked.',
  }),
  postal_address: nullable(
    Type.String({
      examples: ['Acme Inc., 1 Main St, Springfield'],
      description: 'Shown in the footer of mail to contacts.',
    }),
  ),
  emails_per_month: nullable(
    Type.Integer({ description: 'The quota: recipients a calendar month (UTC). null: none.', examples: [100_000] }),
  ),
  created_at: Instant,
};

export const InstanceWorkspace = Type.Object(workspaceFields, {
  title: 'InstanceWorkspace',
  additionalProperties: false,
  description: 'A workspace, as the operator of the instance sees it.',
});

export const WorkspaceOfMember = Type.Object(
  { ...workspaceFields, role: Role },
  {
    title: 'Workspace',
    additionalProperties: false,
    description: 'A workspace, with the role that the caller has in it.',
  },
);

export const WorkspaceParams = Type.Object({ id: Id });

export const CreateWorkspaceBody = Type.Object({
  name: shortText('The name of the workspace.', 'Acme'),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'IANA name; UTC when left out.', examples: ['Europe/Berlin'] }),
  ),
});

export const UpdateWorkspaceBody = Type.Object({
  name: Type.Optional(shortText('The name of the workspace.', 'Acme')),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'IANA name; an old one is kept under the name of today.',
      examples: ['Europe/Berlin'],
    }),
  ),
  track_opens: Type.Optional(
    Type.Boolean({ description: 'Count opens of sends without `trackOpens`. Applies to emails accepted from now on.' }),
  ),
  track_clicks: Type.Optional(
    Type.Boolean({
      description: 'Count clicks of sends without `trackClicks`. Applies to emails accepted from now on.',
    }),
  ),
  postal_address: Type.Optional(
    nullable(
      Type.String({
        maxLength: 500,
        description: 'Shown in the footer of mail to contacts. The law of some countries requires it.',
        examples: ['Acme Inc., 1 Main St, Springfield'],
      }),
    ),
  ),
});

const count = (description: string, example: number) => nullable(Type.Integer({ description, examples: [example] }));

export const WorkspaceUsage = Type.Object(
  {
    emails_per_month: count('The quota: recipients a calendar month (UTC). null: none.', 100_000),
    used: count('Recipients of this month. null without a quota.', 4_812),
    remaining: count('The rest of the quota. null without one.', 95_188),
    resets_at: Instant,
  },
  { title: 'WorkspaceUsage', additionalProperties: false },
);
