import { Type } from 'typebox';
import { EmailText, Id, Instant, nullable, shortText, WorkspaceOfMember } from '../schemas.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from './user.ts';

// Not counted against the minimum where it is only compared: an old, shorter password must still sign in.
export const PasswordText = Type.String({
  minLength: 1,
  maxLength: PASSWORD_CHARS_MAX,
  examples: ['correct horse battery'],
});
const NewPassword = Type.String({
  minLength: PASSWORD_CHARS_MIN,
  maxLength: PASSWORD_CHARS_MAX,
  description: `${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters of any kind.`,
  examples: ['correct horse battery'],
});
const LinkToken = Type.String({ minLength: 1, maxLength: 256, description: 'The `token` of the link in the mail.' });

const User = Type.Object(
  {
    id: Id,
    email: Type.String({ examples: ['ada@example.com'] }),
    name: nullable(Type.String({ examples: ['Ada'] })),
    email_verified: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'User', additionalProperties: false },
);

export const SignedIn = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        description:
          'Access token (JWT), good for 15 minutes. Send it as `Authorization: Bearer`. Left out, as `refresh_token` ' +
          'is, when the session is in a cookie.',
      }),
    ),
    refresh_token: Type.Optional(
      Type.String({
        description: 'Exchange it at POST /auth/refresh. Good once: using a replaced one ends the session.',
      }),
    ),
    workspace_id: nullable(
      Type.String({ description: 'The workspace the token is for; null for a person without one.' }),
    ),
    user: User,
    workspaces: Type.Array(WorkspaceOfMember, { description: 'The first hundred; the rest at GET /workspaces.' }),
  },
  { title: 'SignedIn', additionalProperties: false },
);

export const RegisterBody = Type.Object({
  email: EmailText,
  password: NewPassword,
  name: Type.Optional(shortText('Your name.', 'Ada')),
  workspace_name: Type.Optional(shortText('Name of the workspace that is made with the account.', 'Acme')),
});

const AskedWorkspace = Type.Optional(
  Type.String({
    format: 'uuid',
    description: 'The workspace the token is to be for. Left out, or not one of yours: the first you joined.',
  }),
);

export const LoginBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] }),
  password: PasswordText,
  workspace_id: AskedWorkspace,
});

export const RefreshBody = Type.Object({
  refresh_token: Type.String({ minLength: 1, maxLength: 256 }),
  workspace_id: AskedWorkspace,
});

export const ForgotPasswordBody = Type.Object({ email: EmailText });
export const ResetPasswordBody = Type.Object({ token: LinkToken, password: NewPassword });
export const VerifyEmailBody = Type.Object({ token: LinkToken });

export const Me = Type.Object(
  {
    ...User.properties,
    workspace_id: nullable(Type.String({ description: 'The active workspace.' })),
    role: nullable(Type.String({ description: 'Your role in it.' })),
    two_factor_enabled: Type.Boolean({ description: 'Sign-in asks you for a code.' }),
    recovery_codes_left: Type.Integer({ description: 'Recovery codes that were not used.' }),
  },
  { title: 'Me', additionalProperties: false },
);

export const UpdateMeBody = Type.Object({
  name: Type.Optional(nullable(shortText('Your name.', 'Ada'))),
  password: Type.Optional(NewPassword),
  current_password: Type.Optional(PasswordText),
});

export const Session = Type.Object(
  {
    id: Id,
    current: Type.Boolean({ description: 'The session this request belongs to.' }),
    user_agent: nullable(Type.String()),
    ip: nullable(Type.String()),
    created_at: Instant,
    last_used_at: Instant,
    expires_at: Instant,
  },
  { title: 'Session', additionalProperties: false },
);

export const SessionParams = Type.Object({ id: Id });
export const EndedSessions = Type.Object(
  { success: Type.Literal(true), ended: Type.Integer({ description: 'How many sessions were ended.' }) },
  { additionalProperties: false },
);
