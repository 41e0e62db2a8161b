import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../accounts/user.ts';
import { EmailText, Id, Instant, nullable, Role, shortText, WorkspaceOfMember } from '../schemas.ts';

export const Invite = Type.Object(
  {
    id: Id,
    email: Type.String({ examples: ['ada@example.com'] }),
    role: Role,
    invited_by: nullable(Type.String({ description: 'User id.' })),
    invited_by_email: nullable(Type.String({ examples: ['owner@example.com'] })),
    expires_at: Instant,
    created_at: Instant,
  },
  {
    title: 'Invite',
    additionalProperties: false,
    description: 'An invitation that was neither accepted nor withdrawn. Its link is only in the mail.',
  },
);

export const InvitesQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(
    Type.Enum(['open', 'expired', 'all'], {
      description: 'open (when left out): those whose link works. expired: those whose time is over. all: both.',
      examples: ['open'],
    }),
  ),
});
export const CreateInviteBody = Type.Object({ email: EmailText, role: Role });
export const InviteParams = Type.Object({ id: Id, inviteId: Id });
export const InviteTokenParams = Type.Object({ token: Type.String({ maxLength: 256 }) });

export const AcceptInviteBody = Type.Object({
  password: Type.Optional(
    Type.String({
      minLength: PASSWORD_CHARS_MIN,
      maxLength: PASSWORD_CHARS_MAX,
      description: 'For a new account. Left out by somebody who is signed in.',
    }),
  ),
  name: Type.Optional(shortText('Your name, for a new account.', 'Ada')),
});

export const AcceptedInvite = Type.Object(
  {
    success: Type.Literal(true),
    workspace: WorkspaceOfMember,
    token: Type.Optional(Type.String({ description: 'Access token; only with a new account, and without a cookie.' })),
    refresh_token: Type.Optional(
      Type.String({ description: 'Refresh token; only with a new account, and without a cookie.' }),
    ),
  },
  { title: 'AcceptedInvite', additionalProperties: false },
);
