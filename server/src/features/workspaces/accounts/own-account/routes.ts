import { answer, type Route, route } from '#platform/http/route.ts';
import { Success, SuccessWithMessage } from '../../schemas.ts';
import type { WorkspacesWiring } from '../../wiring.ts';
import { emptyCookie } from '../sessions/session-cookie.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { deleteAccount } from './delete-account.ts';
import { requestEmailChange } from './request-email-change.ts';
import * as schemas from './schemas.ts';

const TAG = 'Sign-in';

export const ownAccountRoutes = (wiring: WorkspacesWiring): Route[] => [
  route({
    method: 'POST',
    path: '/auth/change-email',
    id: 'request_email_change',
    tag: TAG,
    summary: 'Ask for another address of your account',
    description:
      'Mails a link to the new address, which works once and for a day. Nothing changes until somebody follows it; ' +
      'then the old address is told. It takes the password, and a code while two-factor sign-in is on. ' +
      'At most 3 links an hour to one address.',
    access: 'user',
    body: { json: schemas.ChangeEmailBody },
    example: { body: { email: 'ada@example.org', current_password: 'correct horse battery' } },
    response: SuccessWithMessage,
    errors: [422, 429],
    handler: async (ctx, { body }) => {
      const input = { email: body.email, currentPassword: body.current_password, code: body.code };
      await requestEmailChange(ctx, input, wiring.sendSystemMail);
      return { success: true, message: 'A link is on its way to the new address.' };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/confirm-email-change',
    id: 'confirm_email_change',
    tag: TAG,
    summary: 'Confirm another address with the link from the mail',
    description: 'Links that were mailed to the old address stop. 409 when another account has the new one.',
    access: 'public',
    body: { json: schemas.ConfirmEmailChangeBody },
    example: { body: { token: 'the-token-of-the-link' } },
    response: Success,
    errors: [409, 422],
    handler: async (ctx, { body }) => {
      await confirmEmailChange(ctx, body.token, wiring.sendSystemMail);
      return { success: true };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/delete-account',
    id: 'delete_account',
    tag: TAG,
    summary: 'Delete your account',
    description:
      'You leave every workspace, and every session ends. 409 while you are the last owner of a workspace; the message ' +
      'names it. Records, API keys and logs stay with their workspaces. It takes the password, and a code while ' +
      'two-factor sign-in is on.',
    access: 'user',
    body: { json: schemas.DeleteAccountBody },
    example: { body: { current_password: 'correct horse battery' } },
    response: Success,
    errors: [409, 422, 429],
    handler: async (ctx, { body }) => {
      await deleteAccount(ctx, { currentPassword: body.current_password, code: body.code });
      return answer({ success: true }, { headers: { 'set-cookie': emptyCookie(ctx.settings) } });
    },
  }),
];
