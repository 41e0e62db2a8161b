import { Type } from 'typebox';
import { PasswordText, VerifyEmailBody } from '../schemas.ts';
import { Code } from '../two-factor/schemas.ts';

const current_password = PasswordText;
const code = Type.Optional(
  Type.String({
    ...Code,
    description: 'Required while two-factor sign-in is on: six digits of the app, or a recovery code.',
  }),
);

export const DeleteAccountBody = Type.Object({ current_password, code });

export const ChangeEmailBody = Type.Object({
  email: Type.String({ maxLength: 320, description: 'The new address.', examples: ['ada@example.org'] }),
  current_password,
  code,
});

export const ConfirmEmailChangeBody = VerifyEmailBody;
