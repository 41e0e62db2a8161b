import { mailAddress, mailButton, mailParagraph } from '#platform/pages/card-mail.ts';
import type { SystemMail } from '../wiring.ts';
import { postMail } from './post-mail.ts';

/**
 * The mails of this feature. Links are made from the configured URL of the dashboard and nothing of the request (a
 * poisoned Host header must not decide where a reset link points).
 */
const link = (dashboardUrl: string, path: string, token: string): string =>
  `${dashboardUrl.replace(/\/+$/, '')}${path}?token=${token}`;

function compose(
  to: string,
  subject: string,
  lines: readonly string[],
  action: { label: string; url: string },
): SystemMail {
  const [first = '', ...rest] = lines;
  return postMail(to, {
    subject,
    text: [first, `${action.label}:\n${action.url}`, ...rest],
    content: [
      mailParagraph(first),
      mailButton(action, null),
      ...rest.map((line) => mailParagraph(line, { isQuiet: true })),
      mailAddress(action.url, null),
    ],
  });
}

export const resetPasswordMail = (dashboardUrl: string, to: string, token: string): SystemMail =>
  compose(
    to,
    'Set a new password for Posthorn',
    [
      'Somebody, probably you, asked for a new password for this address.',
      'The link works once and for one hour. If it was not you, nothing has changed and you can delete this mail.',
    ],
    { label: 'Set a new password', url: link(dashboardUrl, '/reset-password', token) },
  );

export const verifyEmailMail = (dashboardUrl: string, to: string, token: string): SystemMail =>
  compose(
    to,
    'Confirm your address for Posthorn',
    ['Welcome to Posthorn. Please confirm that this address is yours.'],
    {
      label: 'Confirm this address',
      url: link(dashboardUrl, '/verify-email', token),
    },
  );

export const changeEmailMail = (dashboardUrl: string, to: string, token: string, before: string): SystemMail =>
  compose(
    to,
    'Confirm your new address for Posthorn',
    [
      `Somebody, probably you, wants to use this address for the account of ${before}.`,
      'The link works once and for a day. If it was not you, nothing has changed and you can delete this mail.',
    ],
    { label: 'Use this address', url: link(dashboardUrl, '/change-email', token) },
  );

/** To the address that the account had. */
export function emailWasChangedMail(to: string, after: string): SystemMail {
  const lines = [
    `The address of your Posthorn account is now ${after}. Mail about the account goes there.`,
    'If it was not you, somebody knows your password: ask an owner of your workspace to remove that address.',
  ];
  return postMail(to, {
    subject: 'The address of your Posthorn account was changed',
    text: lines,
    content: lines.map((line) => mailParagraph(line)),
  });
}

export const inviteMail = (
  dashboardUrl: string,
  to: string,
  token: string,
  invite: { workspaceName: string; role: string; invitedBy: string | null },
): SystemMail =>
  compose(
    to,
    `Invitation to ${invite.workspaceName}`,
    [
      `${invite.invitedBy ?? 'Somebody'} invites you to the workspace "${invite.workspaceName}" as ${invite.role}.`,
      'The invitation works once and for seven days. If you do not know who sent it, delete this mail.',
    ],
    { label: 'Accept the invitation', url: link(dashboardUrl, '/accept-invite', token) },
  );
