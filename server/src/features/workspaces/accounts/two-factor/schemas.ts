import { Type } from 'typebox';
import { Instant } from '../../schemas.ts';

const Password = Type.String({ minLength: 1, maxLength: 256, examples: ['correct horse battery'] });
export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits of the app, or a recovery code. Each works once.',
  examples: ['123456'],
});

export const Challenge = Type.String({ minLength: 1, maxLength: 256, examples: ['the-challenge-of-the-sign-in'] });

export const SetUpBody = Type.Object({ current_password: Password });
export const SetUp = Type.Object(
  {
    secret: Type.String({
      description: 'To type into an app (base32).',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
    otpauth_url: Type.String({ description: 'To show as a QR code.' }),
  },
  { title: 'TwoFactorSetUp', additionalProperties: false },
);

export const EnableBody = Type.Object({ code: Code });
const recoveryCodes = {
  success: Type.Literal(true),
  recovery_codes: Type.Array(Type.String({ examples: ['ABCD-EFGH-2345-WXYZ'] }), {
    description: 'Ten codes, each good for one sign-in without the app. They are shown only now.',
  }),
};
export const Enabled = Type.Object(recoveryCodes, { title: 'TwoFactorEnabled', additionalProperties: false });
export const RecoveryCodes = Type.Object(recoveryCodes, { title: 'RecoveryCodes', additionalProperties: false });

export const PasswordAndCodeBody = Type.Object({ current_password: Password, code: Code });

export const TwoFactorRequired = Type.Object(
  {
    two_factor_required: Type.Literal(true),
    challenge: Type.String({ description: 'For POST /auth/2fa/verify, together with a code.' }),
    expires_at: Instant,
  },
  { title: 'TwoFactorRequired', additionalProperties: false },
);

export const VerifyBody = Type.Object({
  challenge: Challenge,
  code: Code,
  workspace_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The workspace the token is to be for, as in POST /auth/login.' }),
  ),
});
