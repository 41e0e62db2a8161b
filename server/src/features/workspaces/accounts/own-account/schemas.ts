import { Type } from 'typebox';
import { PasswordText, VerifyEmailBody } from '../schemas.ts';

const current_password = PasswordText;

export const DeleteAccountBody = Type.Object({ current_password });

export const ChangeEmailBody = Type.Object({
  email: Type.String({ maxLength: 320, description: 'The new address.', examples: ['ada@example.org'] }),
  current_password,
});

export const ConfirmEmailChangeBody = VerifyEmailBody;
