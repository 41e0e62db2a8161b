import type { OwnersMail } from '#features/workspaces';
import type { ExpiringMark } from './queries.ts';

/** The mail to the owners of a workspace 60, 30 and 7 days before the certificate of a logo ends. */
export function mailOfExpiry({ domain, expiresAt }: ExpiringMark, now: Date, workspaceName: string): OwnersMail {
  const day = expiresAt.toISOString().slice(0, 10);
  const isOver = expiresAt <= now;
  return {
    subject: `The certificate of the logo of ${domain} ${isOver ? 'has expired' : `expires on ${day}`}`,
    paragraphs: [
      `The mark certificate of ${domain} of ${workspaceName} ${isOver ? 'expired' : 'expires'} on ${day} (UTC). Mailboxes show the logo no longer than that.`,
      'Ask your authority for its successor, publish it at the same address, and check BIMI again in the dashboard.',
    ],
  };
}
