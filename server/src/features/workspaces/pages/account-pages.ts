import { type Html, html } from '#platform/html/html.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../accounts/user.ts';
import type { ShownInvite } from '../invites/queries.ts';
import { layout, passwordField, tokenField } from './layout.ts';

/** Actions are relative, so that they stay below a public URL that has a path, and leave the query behind. */
const form = (
  action: string,
  fields: readonly Html[],
  button: string,
): Html => html`<form method="post" action="${action}" accept-charset="utf-8">
      ${fields}
      <button type="submit">${button}</button>
    </form>`;

const newPassword = passwordField({
  label: 'New password',
  autocomplete: 'new-password',
  charsMin: PASSWORD_CHARS_MIN,
  charsMax: PASSWORD_CHARS_MAX,
  hint: `At least ${PASSWORD_CHARS_MIN} characters of any kind.`,
});

const nameField = html`<div class="field">
        <label for="name">Your name (optional)</label>
        <input id="name" name="name" type="text" maxlength="200" autocomplete="name">
      </div>`;

export const resetPasswordPage = (token: string): string =>
  layout(
    'Set a new password',
    html`<p>You will be signed out everywhere. Then sign in with the new password.</p>
    ${form('reset-password', [tokenField(token), newPassword], 'Set this password')}`,
  );

export const passwordWasSetPage = (): string =>
  layout(
    'Your new password is set',
    html`<p>You were signed out everywhere. <a href="./">Sign in</a> with your new password.</p>`,
  );

export const verifyEmailPage = (token: string): string =>
  layout(
    'Confirm your address',
    html`<p>Please confirm that the address this mail was sent to is yours.</p>
    ${form('verify-email', [tokenField(token)], 'Confirm my address')}`,
  );

export const emailWasVerifiedPage = (): string =>
  layout(
    'Your address is confirmed',
    html`<p>Thank you. You can close this page, or <a href="./">open the dashboard</a>.</p>`,
  );

export const changeEmailPage = (token: string): string =>
  layout(
    'Use this address',
    html`<p>Please confirm that your account shall have the address this mail was sent to.</p>
    ${form('change-email', [tokenField(token)], 'Use this address')}`,
  );

export const emailWasChangedPage = (): string =>
  layout(
    'Your address is changed',
    html`<p>From now on you sign in with it. You can close this page, or <a href="./">open the dashboard</a>.</p>`,
  );

export function acceptInvitePage(token: string, invite: ShownInvite): string {
  // Shown for the person and their password manager. It has no name, so it is not sent: the link says whose it is.
  const emailField = html`<div class="field">
        <label for="email">Email</label>
        <input id="email" type="email" value="${invite.email}" readonly autocomplete="username">
      </div>`;
  const currentPassword = passwordField({
    label: 'Password',
    autocomplete: 'current-password',
    charsMin: 1,
    charsMax: PASSWORD_CHARS_MAX,
    hint: 'The one you sign in to Posthorn with.',
  });
  const [ask, fields] = invite.hasAccount
    ? ['You have an account with this address. Give its password to accept.', [emailField, currentPassword]]
    : ['Choose a password to make your account.', [emailField, nameField, newPassword]];
  return layout(
    'Accept the invitation',
    html`<p>You are invited to the workspace <strong>${invite.workspaceName}</strong> as ${invite.role}. ${ask}</p>
    ${form('accept-invite', [tokenField(token), ...fields], 'Accept the invitation')}`,
  );
}

const codeField = html`<div class="field">
        <label for="code">Code</label>
        <input id="code" name="code" type="text" required minlength="6" maxlength="40" autocomplete="one-time-code"
          autocapitalize="off" spellcheck="false" aria-describedby="code-hint">
        <small id="code-hint">Six digits of your app, or one of your recovery codes.</small>
      </div>`;

/** The second step for an account with two-factor sign-in. `problem`: why the step is asked once more. */
export const acceptInviteCodePage = (step: { token: string; challenge: string }, problem?: string): string =>
  layout(
    'Enter your code',
    html`${problem === undefined ? html`<p>Your account has two-factor sign-in.</p>` : html`<p role="alert">${problem}</p>`}
    ${form(
      'accept-invite-code',
      [tokenField(step.token), html`<input type="hidden" name="challenge" value="${step.challenge}">`, codeField],
      'Accept the invitation',
    )}`,
  );

export const inviteWasAcceptedPage = (workspaceName: string, role: string): string =>
  layout(
    'You are in',
    html`<p>You are now a member of the workspace <strong>${workspaceName}</strong>, as ${role}. <a href="./">Sign in</a> with your email and password.</p>`,
  );
