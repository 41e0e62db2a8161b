import type { OwnersMail } from '#features/workspaces';
import type { Change } from './next-state.ts';

/** The mail to the owners of a workspace when a check in the background has changed a domain. */
export function mailOfChange(change: Change, domain: string, reason: string | null, workspaceName: string): OwnersMail {
  const why = reason === null ? [] : [reason];
  switch (change) {
    case 'verified':
      return {
        subject: `${domain} is verified`,
        paragraphs: [`The domain ${domain} of ${workspaceName} is verified. You can send mail from it.`],
      };
    case 'failed':
      return {
        subject: `${domain} is not verified`,
        paragraphs: [
          `The DNS records of ${domain} of ${workspaceName} were not found within 72 hours. Posthorn no longer looks for them.`,
          ...why,
          'Publish the records, and verify the domain again.',
        ],
      };
    case 'regressed':
      return {
        subject: `${domain} can no longer send`,
        paragraphs: [
          `The DNS records of ${domain} of ${workspaceName} have been wrong for a day. Mail would be treated as forged, so sending from it has stopped. Issues from it wait for 72 hours.`,
          ...why,
          'Restore the records. Posthorn looks for them every 15 minutes, and sending goes on when they are there.',
        ],
      };
  }
}
