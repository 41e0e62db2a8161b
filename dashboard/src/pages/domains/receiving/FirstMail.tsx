import type { Domain } from '../../../api/generated/types.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { mxRecordOf } from './mx-record.ts';
import type { useLastMail } from './use-last-mail.ts';

/** Waits for the first mail of a domain, and ticks when it is there. */
export function FirstMail({ domain, received }: { domain: Domain; received: ReturnType<typeof useLastMail> }) {
  if (received === undefined) return null;
  const { last } = received;
  if (last !== undefined) {
    return (
      <div role="status">
        <Notice
          tone="ok"
          action={
            <ActionButton variant="default" size="xs" href={pb.receivedOf(domain.id)}>
              Open received mail
            </ActionButton>
          }
        >
          <b>Mail arrives.</b> The last message came <RelativeTime at={last.received_at} />
          {last.from !== null && ` from ${last.from.email}`}.
        </Notice>
      </div>
    );
  }
  return (
    <div role="status">
      <Notice tone="info">
        <b>Waiting for your first mail.</b> {whatIsMissing(domain)}
      </Notice>
    </div>
  );
}

function whatIsMissing(domain: Domain): string {
  if (!domain.sending_enabled) {
    return 'The domain is not verified yet: until then other servers are asked to come again later.';
  }
  if (mxRecordOf(domain)?.status !== 'found') {
    return 'Publish the MX record below, then write to any address of the domain. This page shows it by itself.';
  }
  return `Write to any address at ${domain.domain}. This page shows it by itself.`;
}
