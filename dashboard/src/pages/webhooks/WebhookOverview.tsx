import { useQuery } from '@tanstack/react-query';
import { listNewslettersOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { Mono } from '../../ui/Mono.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { EndpointSecret } from './EndpointSecret.tsx';
import classes from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  roleReason: string | undefined;
  onRotated: (webhook: Webhook) => void;
}

export function WebhookOverview({ webhook, roleReason, onRotated }: Props) {
  const newsletters = useQuery({
    ...listNewslettersOptions({ query: { limit: '100' } }),
    enabled: webhook.newsletter_ids.length > 0,
  });
  const nameOf = (id: string) => newsletters.data?.data.find((each) => each.id === id)?.name ?? id;
  return (
    <div className={classes['overview']}>
      <Properties items={propertiesOf(webhook, nameOf)} />
      <EndpointSecret webhook={webhook} roleReason={roleReason} onRotated={onRotated} />
    </div>
  );
}

function propertiesOf(webhook: Webhook, nameOf: (id: string) => string): Property[] {
  return [
    { label: 'URL', value: webhook.url, copy: webhook.url, mono: true },
    {
      label: 'Events',
      value: webhook.events.includes('*') ? (
        'Every event, also types that come later'
      ) : (
        <span className={classes['types']}>
          {webhook.events.map((type) => (
            <Mono key={type}>{type}</Mono>
          ))}
        </span>
      ),
    },
    { label: 'Newsletters', value: webhook.newsletter_ids.map(nameOf).join(', ') || 'All, and mail without one' },
    ...(webhook.domain_ids.length === 0
      ? []
      : [{ label: 'Domains', value: webhook.domain_ids.join(', '), mono: true }]),
    { label: 'Last success', value: <RelativeTime at={webhook.last_success_at} /> },
    { label: 'Last failure', value: <RelativeTime at={webhook.last_failure_at} /> },
    { label: 'Created', value: <RelativeTime at={webhook.created_at} /> },
    { label: 'Changed', value: <RelativeTime at={webhook.updated_at} /> },
    { label: 'Id', value: webhook.id, copy: webhook.id, mono: true },
  ];
}
