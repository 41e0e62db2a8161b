import { Type } from 'typebox';
import { Challenge, Code } from '../accounts/two-factor/schemas.ts';
import { PASSWORD_CHARS_MAX } from '../accounts/user.ts';
import { shortText } from '../schemas.ts';

/** A link that a mail program cut off is told at once, not after a form. */
export const LinkQuery = Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) });

/** The password is an old one or a new one, which only the invitation tells. */
export const AcceptInviteForm = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 256 }),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_CHARS_MAX }),
  name: Type.Optional(shortText('Your name, for a new account.', 'Ada')),
});

export const AcceptInviteCodeForm = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 256 }),
  challenge: Challenge,
  code: Code,
});
