import type { Subscriber } from '../../../api/generated/types.gen.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { SUBSCRIBER_STATES, whyLeft } from './subscriber-words.ts';

/** The status, with "Bounce" or "Complaint" when that ended the subscription. */
export function SubscriberStatusBadge({ subscriber }: { subscriber: Pick<Subscriber, 'status' | 'metadata'> }) {
  const { label, tone } = SUBSCRIBER_STATES[subscriber.status];
  const cause = whyLeft(subscriber)?.badge;
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: '2px 12px' }}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {cause !== undefined && <StatusBadge tone="bad">{cause}</StatusBadge>}
    </span>
  );
}
