import { escapeHtml } from '#platform/html/html.ts';
import type { SystemMail } from '../wiring.ts';

/**
 * The mails of this feature. Links are made from the configured URL of the dashboard and nothing of the request (a
 * poisoned Host header must not decide where a reset link points). Values of other people are escaped.
 */
const link = (dashboardUrl: string, path: string, token: string): string =>
  `${dashboardUrl.replace(/\/+$/, '')}${path}?token=${token}`;

/** A subject is one line, whatever a workspace is called. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

function compose(
  to: string,
  subject: string,
  lines: readonly string[],
  action: { label: string; url: string },
): SystemMail {
  const [first = '', ...rest] = lines;
  const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
  return {
    to,
    subject: oneLine(subject),
    text: [first, `${action.label}:\n${action.url}`, ...rest].join('\n\n'),
    html: [
      paragraph(first),
      `<p><a href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a></p>`,
      ...rest.map(paragraph),
    ].join('\n'),
  };
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
