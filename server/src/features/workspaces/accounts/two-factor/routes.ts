import { answer, type Route, route } from '#platform/http/route.ts';
import { Success } from '../../schemas.ts';
import { userIdOf } from '../../workspace-access.ts';
import { SignedIn } from '../schemas.ts';
import { cookieHeader, signedInView } from '../sessions/open-session.ts';
import { SessionHeader, sessionStart } from '../sessions/session-start.ts';
import { disableTwoFactor, enableTwoFactor, replaceRecoveryCodes, setUpTwoFactor } from './change-two-factor.ts';
import * as schemas from './schemas.ts';
import { signInWithCode } from './sign-in-with-code.ts';

const TAG = 'Sign-in';

export const twoFactorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/auth/2fa/setup',
    id: 'set_up_two_factor',
    tag: TAG,
    summary: 'Make a secret for two-factor sign-in',
    description: 'Sign-in stays as it is until a code of the secret was given at POST /auth/2fa/enable.',
    access: 'user',
    body: { json: schemas.SetUpBody },
    example: { body: { current_password: 'correct horse battery' } },
    response: schemas.SetUp,
    errors: [409, 422, 429],
    handler: (ctx, { body }) => setUpTwoFactor(ctx, body.current_password),
  }),
  route({
    method: 'POST',
    path: '/auth/2fa/enable',
    id: 'enable_two_factor',
    tag: TAG,
    summary: 'Turn two-factor sign-in on',
    access: 'user',
    body: { json: schemas.EnableBody },
    example: { body: { code: '123456' } },
    response: schemas.Enabled,
    errors: [409, 422, 429],
    handler: async (ctx, { body }) => ({
      success: true,
      recovery_codes: await enableTwoFactor(ctx, userIdOf(ctx), body.code),
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/2fa/disable',
    id: 'disable_two_factor',
    tag: TAG,
    summary: 'Turn two-factor sign-in off',
    access: 'user',
    body: { json: schemas.PasswordAndCodeBody },
    example: { body: { current_password: 'correct horse battery', code: '123456' } },
    response: Success,
    errors: [409, 422, 429],
    handler: async (ctx, { body }) => {
      await disableTwoFactor(ctx, { currentPassword: body.current_password, code: body.code });
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/2fa/recovery-codes',
    id: 'replace_recovery_codes',
    tag: TAG,
    summary: 'Replace the recovery codes',
    description: 'Ten new codes, which are shown only now; those before stop. A recovery code may be the code.',
    access: 'user',
    body: { json: schemas.PasswordAndCodeBody },
    example: { body: { current_password: 'correct horse battery', code: '123456' } },
    response: schemas.RecoveryCodes,
    errors: [409, 422, 429],
    handler: async (ctx, { body }) => ({
      success: true,
      recovery_codes: await replaceRecoveryCodes(ctx, { currentPassword: body.current_password, code: body.code }),
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/2fa/verify',
    id: 'verify_two_factor',
    tag: TAG,
    summary: 'Finish a sign-in with a code',
    description:
      'The second step after POST /auth/login answered `two_factor_required`. Ten wrong codes block it for a quarter of an hour.',
    access: 'public',
    headers: SessionHeader,
    body: { json: schemas.VerifyBody },
    example: { body: { challenge: 'the-challenge-of-the-sign-in', code: '123456' } },
    response: SignedIn,
    errors: [401, 403, 429],
    handler: async (ctx, { body, request }) => {
      const input = { challenge: body.challenge, code: body.code, start: sessionStart(ctx, request) };
      const signedIn = await signInWithCode(ctx, input);
      const headers = cookieHeader(ctx, signedIn);
      return answer(await signedInView(ctx, signedIn, body.workspace_id), { headers });
    },
  }),
];
