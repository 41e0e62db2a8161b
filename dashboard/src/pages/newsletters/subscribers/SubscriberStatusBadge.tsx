import type { Subscriber } from '../../../api/generated/types.gen.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { SUBSCRIBER_STATES, whyLeft } from './subscriber-words.ts';

interface Props {
  subscriber: Pick<Subscriber, 'status' | 'metadata'>;
  /** "Bounce" alone. */
  isShort?: boolean;
}

/** The status, with "Bounce" or "Complaint" when that ended the subscription. */
export function SubscriberStatusBadge({ subscriber, isShort = false }: Props) {
  const { label, tone } = SUBSCRIBER_STATES[subscriber.status];
  const cause = whyLeft(subscriber)?.badge;
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: '2px 12px' }}>
      {!(isShort && cause !== undefined) && <StatusBadge tone={tone}>{label}</StatusBadge>}
      {cause !== undefined && <StatusBadge tone="bad">{cause}</StatusBadge>}
    </span>
  );
}
