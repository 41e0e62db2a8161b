import { mailOwners, type OwnersMail, type OwnersMailPorts } from '#features/workspaces';
import { bulkSends } from '#features/outbox';
import type { PausedMail } from './bulk-health.ts';
import type { UnhealthyBulk } from './bulk-health-queries.ts';

/** Tells the owners of a workspace that a send of theirs was paused: one mail to each. */
export const createPausedMail = (ports: OwnersMailPorts): PausedMail => ({
  async write(tx, paused) {
    const { workspaceId, sendId } = paused;
    const origin = await bulkSends.originOf(tx, workspaceId, sendId);
    const mail = (workspaceName: string): OwnersMail =>
      pausedMail(paused, origin, { workspaceName, publicUrl: ports.settings.publicUrl });
    await mailOwners(ports, tx, workspaceId, mail);
  },
  onFailure({ sendId }, error) {
    ports.log.error({ err: error, send: sendId }, 'the owners of a paused send could not be told');
  },
});

type Origin = Awaited<ReturnType<typeof bulkSends.originOf>>;

interface Where {
  workspaceName: string;
  publicUrl: string;
}

function pausedMail({ sendId, reason }: UnhealthyBulk, origin: Origin, where: Where): OwnersMail {
  const { workspaceName, publicUrl } = where;
  const path =
    origin?.issueId == null ? `/v1/send/${sendId}` : `/v1/newsletters/${origin.newsletterId}/issues/${origin.issueId}`;
  const command = (options: string, more: string): string =>
    `curl ${options}${publicUrl}${path}${more} -H "Authorization: Bearer $POSTHORN_KEY"`;
  const cancel = origin?.issueId == null ? command('-X DELETE ', '') : command('-X POST ', '/cancel');
  return {
    subject: `A bulk send of ${workspaceName} was paused`,
    paragraphs: [
      `${nameOf(origin, workspaceName)} was paused, because providers refuse everything from senders whose mail does this: ${reason}`,
      'The emails that have not left are waiting. The addresses that bounced or complained are already suppressed.',
      'Check the source of the list before you resume the send. The rest of the list probably has the same problem.',
      `See it: ${command('', '')}`,
      `Resume it: ${command('-X POST ', '/resume')}`,
      `Cancel the rest: ${cancel}`,
    ],
  };
}

const nameOf = (origin: Origin, workspaceName: string): string =>
  origin === undefined
    ? `A bulk send of ${workspaceName}`
    : `The ${origin.issueId === null ? 'send' : 'issue'} “${origin.subject}” from ${origin.sender} (${workspaceName})`;
