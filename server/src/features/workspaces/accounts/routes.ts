import { Type } from 'typebox';
import type { Ctx } from '#platform/http/context.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { answerPage, listEnvelope, pageQuery, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { Success, SuccessWithMessage } from '../schemas.ts';
import type { WorkspacesWiring } from '../wiring.ts';
import { userIdOf } from '../workspace-access.ts';
import { findTwoFactor } from './two-factor/queries.ts';
import { TwoFactorRequired } from './two-factor/schemas.ts';
import type { BackgroundWork } from './background-work.ts';
import { cookieHeader, type SignedIn, signedInView } from './sessions/open-session.ts';
import { refreshSession } from './sessions/refresh-session.ts';
import { emptyCookie, sessionOfCookie } from './sessions/session-cookie.ts';
import { SessionHeader, sessionStart } from './sessions/session-start.ts';
import { registerUser } from './register-user.ts';
import { requestPasswordReset } from './passwords/request-password-reset.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { lockUser } from './queries.ts';
import * as schemas from './schemas.ts';
import { countSessionsOfUser, pageSessionsOfUser } from './sessions/session-queries.ts';
import { endOneSession, endOtherSessions, sessionView, signOut } from './sessions/sessions.ts';
import { signIn } from './sign-in.ts';
import { currentPasswordGiven, getMe, updateMe } from './update-me.ts';
import { readEmail, type User, userView } from './user.ts';
import { verifyEmail } from './verify-email.ts';

const version = recordVersion(schemas.UpdateMeBody, (ctx) => lockUser(ctx.db, userIdOf(ctx)));

const TAG = 'Sign-in';

async function twoFactorView({ db }: Ctx, { id }: User) {
  const found = await findTwoFactor(db, id);
  const isOn = found !== undefined && found.enabledAt !== null;
  return { two_factor_enabled: isOn, recovery_codes_left: isOn ? found.recoveryCodesLeft : 0 };
}

const meView = async (ctx: Ctx, user: User) => ({
  ...userView(user),
  ...(await twoFactorView(ctx, user)),
  workspace_id: ctx.actor.workspaceId,
  role: ctx.actor.role,
});

const answerSignedIn = async (ctx: Ctx, signedIn: SignedIn, workspaceId?: string) =>
  answer(await signedInView(ctx, signedIn, workspaceId), { headers: cookieHeader(ctx, signedIn) });

export const accountRoutes = (wiring: WorkspacesWiring, background: BackgroundWork): Route[] => [
  route({
    method: 'POST',
    path: '/auth/register',
    id: 'register_user',
    tag: TAG,
    summary: 'Create an account with a workspace',
    description: '403 unless POSTHORN_SIGNUP is open. Invitations work either way.',
    access: 'public',
    status: 201,
    headers: SessionHeader,
    body: {
      json: schemas.RegisterBody,
      read: readEach<typeof schemas.RegisterBody>({ email: (email) => readEmail(email) }),
    },
    example: { body: { email: 'grace@example.com', password: 'correct horse battery', workspace_name: 'Acme' } },
    response: schemas.SignedIn,
    errors: [403, 409, 429],
    handler: async (ctx, { body, request }) => {
      const input = {
        email: body.email,
        password: body.password,
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.workspace_name === undefined ? {} : { workspaceName: body.workspace_name }),
        start: sessionStart(ctx, request),
      };
      return answerSignedIn(ctx, await registerUser(ctx, input, wiring.sendSystemMail));
    },
  }),
  route({
    method: 'POST',
    path: '/auth/login',
    id: 'sign_in',
    tag: TAG,
    summary: 'Sign in with email and password',
    description:
      'An unknown email and a wrong password give the same 401. Too many attempts give 429. A person with two-factor sign-in gets 202 with a challenge for POST /auth/2fa/verify. Browsers ask for a session ' +
      'cookie in place of tokens with `X-Posthorn-Session: cookie`.',
    access: 'public',
    headers: SessionHeader,
    body: { json: schemas.LoginBody },
    example: { body: { email: 'ada@example.com', password: 'correct horse battery' } },
    response: schemas.SignedIn,
    otherResponses: { 202: TwoFactorRequired },
    errors: [401, 403, 429],
    handler: async (ctx, { body, request }) => {
      const input = { email: body.email, password: body.password, start: sessionStart(ctx, request) };
      const signedIn = await signIn(ctx, input);
      if (!('challenge' in signedIn)) return answerSignedIn(ctx, signedIn, body.workspace_id);
      const { challenge, expiresAt } = signedIn;
      const asked = { two_factor_required: true, challenge, expires_at: expiresAt.toISOString() };
      return answer(asked, { status: 202 });
    },
  }),
  route({
    method: 'POST',
    path: '/auth/refresh',
    id: 'refresh_session',
    tag: TAG,
    summary: 'Exchange a refresh token',
    description:
      'Answers a new access token and a new refresh token. Each refresh token works once. Using one twice ends ' +
      'the session, so refresh from one place at a time.',
    access: 'public',
    body: { json: schemas.RefreshBody },
    example: { body: { refresh_token: 'prt_…' } },
    response: schemas.SignedIn,
    errors: [401],
    handler: async (ctx, { body }) =>
      answerSignedIn(ctx, await refreshSession(ctx, body.refresh_token), body.workspace_id),
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    id: 'sign_out',
    tag: TAG,
    summary: 'End this session',
    description: 'The access token stops at once, and so does the refresh token or the session cookie.',
    access: 'user',
    response: Success,
    handler: async (ctx, { request }) => {
      await signOut(ctx);
      const isCookie = sessionOfCookie(ctx, request.headers)?.sessionId === ctx.actor.sessionId;
      return answer({ success: true }, { headers: isCookie ? { 'set-cookie': emptyCookie(ctx.settings) } : {} });
    },
  }),
  route({
    method: 'POST',
    path: '/auth/forgot-password',
    id: 'request_password_reset',
    tag: TAG,
    summary: 'Ask for a link to set a new password',
    description: 'The answer is the same whether the address has an account or not.',
    access: 'public',
    body: { json: schemas.ForgotPasswordBody },
    example: { body: { email: 'ada@example.com' } },
    response: SuccessWithMessage,
    errors: [429],
    handler: async (ctx, { body }) => {
      await requestPasswordReset(ctx, body.email, { sendSystemMail: wiring.sendSystemMail, background });
      return { success: true, message: 'If this address has an account, a link is on its way.' };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/reset-password',
    id: 'reset_password',
    tag: TAG,
    summary: 'Set a new password with the link from the mail',
    description: 'The link works once, for one hour. Every session of the account ends.',
    access: 'public',
    body: { json: schemas.ResetPasswordBody },
    example: { body: { token: 'the-token-of-the-link', password: 'correct horse battery' } },
    response: Success,
    errors: [422],
    handler: async (ctx, { body }) => {
      await resetPassword(ctx, body);
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/verify-email',
    id: 'verify_email',
    tag: TAG,
    summary: 'Confirm an address with the link from the mail',
    access: 'public',
    body: { json: schemas.VerifyEmailBody },
    example: { body: { token: 'the-token-of-the-link' } },
    response: Success,
    errors: [422],
    handler: async (ctx, { body }) => {
      await verifyEmail(ctx, body.token);
      return { success: true };
    },
  }),
  route({
    method: 'GET',
    path: '/auth/me',
    id: 'get_me',
    version,
    tag: TAG,
    summary: 'Read your account',
    access: 'user',
    response: schemas.Me,
    handler: async (ctx) => meView(ctx, await getMe(ctx)),
  }),
  route({
    method: 'PATCH',
    path: '/auth/me',
    id: 'update_me',
    version,
    tag: TAG,
    summary: 'Change your name or password',
    description: 'A new password needs `current_password` and ends your other sessions.',
    access: 'user',
    body: { json: schemas.UpdateMeBody, read: readEach<typeof schemas.UpdateMeBody>({}, [currentPasswordGiven]) },
    example: { body: { name: 'Ada' } },
    response: schemas.Me,
    errors: [422, 429],
    handler: async (ctx, { body }) => {
      const input = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.password === undefined ? {} : { password: body.password }),
        ...(body.current_password === undefined ? {} : { currentPassword: body.current_password }),
      };
      return meView(ctx, await updateMe(ctx, input));
    },
  }),
  route({
    method: 'GET',
    path: '/auth/sessions',
    id: 'list_sessions',
    tag: TAG,
    summary: 'List where you are signed in',
    access: 'user',
    query: Type.Object(pageQuery),
    response: listEnvelope(schemas.Session),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const now = ctx.clock.now();
      const rows = await pageSessionsOfUser(ctx.db, userIdOf(ctx), { ...page, now });
      const total = page.after === null ? await countSessionsOfUser(ctx.db, userIdOf(ctx), now) : null;
      const views = rows.map((row) => sessionView(row, ctx.actor.sessionId));
      return answerPage(page, views, { total, url: request.url });
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions',
    id: 'end_other_sessions',
    tag: TAG,
    summary: 'End every session but this one',
    access: 'user',
    response: schemas.EndedSessions,
    handler: async (ctx) => ({ success: true, ended: await endOtherSessions(ctx) }),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    id: 'end_session',
    tag: TAG,
    summary: 'End one session',
    access: 'user',
    params: schemas.SessionParams,
    response: Success,
    errors: [404],
    handler: async (ctx, { params }) => {
      await endOneSession(ctx, params.id);
      return { success: true };
    },
  }),
];
