import { type Route, route } from '#platform/http/route.ts';
import { resetPassword } from '../accounts/passwords/reset-password.ts';
import { ResetPasswordBody, VerifyEmailBody } from '../accounts/schemas.ts';
import { confirmEmailChange } from '../accounts/own-account/confirm-email-change.ts';
import { verifyEmail } from '../accounts/verify-email.ts';
import { acceptInviteWithCode } from '../invites/accept-invite-with-code.ts';
import { acceptInviteWithPassword } from '../invites/accept-invite-with-password.ts';
import { getOpenInvite } from '../invites/get-open-invite.ts';
import * as pages from './account-pages.ts';
import { codeAgain, failurePages } from './failure-page.ts';
import type { WorkspacesWiring } from '../wiring.ts';
import { AcceptInviteCodeForm, AcceptInviteForm, LinkQuery } from './schemas.ts';

const TAG = 'Sign-in';
/** A token, a password and a name, percent-encoded at their longest. */
const FORM_BYTES_MAX = 8_192;

const resetFailures = failurePages({
  path: 'reset-password',
  forNewLink: 'Request a new one on the sign-in page, or ask the operator of this server.',
});
const verifyFailures = failurePages({
  path: 'verify-email',
  forNewLink: 'If you have confirmed your address already, all is well.',
});
const changeFailures = failurePages({
  path: 'change-email',
  forNewLink: 'Ask for the change again on the page of your account.',
});
const invite = {
  path: 'accept-invite',
  forNewLink: 'If you have accepted it, sign in. If not, ask the person who invited you for a new one.',
};
const inviteFailures = failurePages(invite);
const inviteCodeFailures = failurePages({ ...invite, again: codeAgain });

/**
 * Where the links of our mails lead, without JavaScript. A GET changes nothing, since mail scanners open every link
 * before its reader does; the button of its form does what the endpoint of the API does.
 */
export const accountPageRoutes = (wiring: WorkspacesWiring): Route[] => [
  route({
    method: 'GET',
    path: '/reset-password',
    id: 'show_reset_password_page',
    tag: TAG,
    summary: 'Page: set a new password',
    access: 'public',
    page: resetFailures,
    query: LinkQuery,
    handler: async (_ctx, { query }) => pages.resetPasswordPage(query.token),
  }),
  route({
    method: 'POST',
    path: '/reset-password',
    id: 'post_reset_password_page',
    tag: TAG,
    summary: 'Page: the new password is set',
    access: 'public',
    page: resetFailures,
    body: { form: ResetPasswordBody, bytesMax: FORM_BYTES_MAX },
    handler: async (ctx, { body }) => {
      await resetPassword(ctx, body);
      return pages.passwordWasSetPage();
    },
  }),
  route({
    method: 'GET',
    path: '/verify-email',
    id: 'show_verify_email_page',
    tag: TAG,
    summary: 'Page: confirm an address',
    access: 'public',
    page: verifyFailures,
    query: LinkQuery,
    handler: async (_ctx, { query }) => pages.verifyEmailPage(query.token),
  }),
  route({
    method: 'POST',
    path: '/verify-email',
    id: 'post_verify_email_page',
    tag: TAG,
    summary: 'Page: the address is confirmed',
    access: 'public',
    page: verifyFailures,
    body: { form: VerifyEmailBody, bytesMax: FORM_BYTES_MAX },
    handler: async (ctx, { body }) => {
      await verifyEmail(ctx, body.token);
      return pages.emailWasVerifiedPage();
    },
  }),
  route({
    method: 'GET',
    path: '/change-email',
    id: 'show_change_email_page',
    tag: TAG,
    summary: 'Page: use another address',
    access: 'public',
    page: changeFailures,
    query: LinkQuery,
    handler: async (_ctx, { query }) => pages.changeEmailPage(query.token),
  }),
  route({
    method: 'POST',
    path: '/change-email',
    id: 'post_change_email_page',
    tag: TAG,
    summary: 'Page: the address is changed',
    access: 'public',
    page: changeFailures,
    body: { form: VerifyEmailBody, bytesMax: FORM_BYTES_MAX },
    handler: async (ctx, { body }) => {
      await confirmEmailChange(ctx, body.token, wiring.sendSystemMail);
      return pages.emailWasChangedPage();
    },
  }),
  route({
    method: 'GET',
    path: '/accept-invite',
    id: 'show_accept_invite_page',
    tag: TAG,
    summary: 'Page: accept an invitation',
    access: 'public',
    page: inviteFailures,
    query: LinkQuery,
    handler: async (ctx, { query }) => pages.acceptInvitePage(query.token, await getOpenInvite(ctx, query.token)),
  }),
  route({
    method: 'POST',
    path: '/accept-invite',
    id: 'post_accept_invite_page',
    tag: TAG,
    summary: 'Page: the invitation is accepted',
    access: 'public',
    page: inviteFailures,
    body: { form: AcceptInviteForm, bytesMax: FORM_BYTES_MAX },
    handler: async (ctx, { body }) => {
      const accepted = await acceptInviteWithPassword(ctx, body);
      if ('challenge' in accepted) return pages.acceptInviteCodePage({ token: body.token, ...accepted });
      return pages.inviteWasAcceptedPage(accepted.membership.name, accepted.membership.role);
    },
  }),
  route({
    method: 'POST',
    path: '/accept-invite-code',
    id: 'post_accept_invite_code_page',
    tag: TAG,
    summary: 'Page: the invitation is accepted with a code',
    access: 'public',
    page: inviteCodeFailures,
    body: { form: AcceptInviteCodeForm, bytesMax: FORM_BYTES_MAX },
    handler: async (ctx, { body }) => {
      const { membership } = await acceptInviteWithCode(ctx, body);
      return pages.inviteWasAcceptedPage(membership.name, membership.role);
    },
  }),
];
