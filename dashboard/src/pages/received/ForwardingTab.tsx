import { redeliverInboundEmail } from '../../api/generated/sdk.gen.ts';
import type { InboundEmail } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { FORWARD_STATES } from './received-words.ts';

/** Shows the fate of the message at the webhook of its domain. */
export function ForwardingTab({ mail: { id, status, forward, domain } }: { mail: InboundEmail }) {
  const roleReason = useWhyNot('inbound:write');
  const write = useWrite({
    call: () => redeliverInboundEmail({ path: { id }, throwOnError: true }),
    changes: ['getInboundEmail'],
    onDone: () => toastDone('The message is being forwarded.'),
    onError: toastError,
  });
  const waits = status === 'waiting' ? 'The message is being read. It can be forwarded in a second.' : undefined;
  return (
    <Section
      title="Forwarding"
      description="To the webhook of the domain, signed, and with the same event id each time."
      actions={
        <ActionButton
          variant="default"
          size="xs"
          loading={write.isPending}
          disabledReason={roleReason ?? waits}
          onClick={() => write.mutate(undefined)}
        >
          {forward === null ? 'Forward it now' : 'Forward it once more'}
        </ActionButton>
      }
      plain
    >
      {forward === null ? (
        <Notice tone="quiet">
          It was not forwarded: the domain had no webhook when it came.{' '}
          {domain !== null && <a href={pb.domainTab(domain.id, 'receiving')}>Open the webhook of the domain</a>}
        </Notice>
      ) : (
        <Properties
          items={[
            {
              label: 'State',
              value: (
                <StatusBadge tone={FORWARD_STATES[forward.status].tone}>
                  {FORWARD_STATES[forward.status].label}
                </StatusBadge>
              ),
            },
            { label: 'Attempts', value: String(forward.attempts) },
            { label: 'Last answer', value: forward.response_status ?? forward.error },
            ...(forward.response_status !== null && forward.error !== null
              ? [{ label: 'Error', value: forward.error }]
              : []),
            { label: 'Next attempt', value: <RelativeTime at={forward.next_attempt_at} none="None" isAhead /> },
            {
              label: 'Delivered',
              value: <RelativeTime at={forward.delivered_at} none={forward.status === 'pending' ? 'Not yet' : 'No'} />,
            },
            { label: 'Event', value: forward.event_id, copy: forward.event_id, mono: true },
          ]}
        />
      )}
    </Section>
  );
}
