import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { getWebhookOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { healthOf } from './webhook-state.ts';
import { ToggleWebhook, WebhookActions } from './WebhookActions.tsx';
import { WebhookOverview } from './WebhookOverview.tsx';

const DeliveryList = lazyTab('deliveries', () =>
  import('./deliveries/DeliveryList.tsx').then((file) => file.DeliveryList),
);
const EditWebhook = lazyTab('edit', () => import('./EditWebhook.tsx').then((file) => file.EditWebhook));
const VerifySamples = lazyTab('verify', () => import('./VerifySamples.tsx').then((file) => file.VerifySamples));
const SecretShown = lazyPart(() => import('./SecretShown.tsx').then((file) => file.SecretShown));

const CRUMBS = [{ label: 'Webhooks', href: pb.webhooks() }];
const POLL_MS = 5_000;

/** One endpoint: its health, its deliveries, its secret, and how to change it. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const router = useRouter();
  const [{ tab }, setUrl] = useUrlState(['tab', 'after', 'status', 'event_type', 'since', 'until']);
  const [rotated, setRotated] = useState<Webhook>();
  const roleReason = useWhyNot('webhooks:write');
  const { data, error, refetch } = useQuery({ ...getWebhookOptions({ path: { id } }), refetchInterval: POLL_MS });
  if (rotated !== undefined) {
    const close = () => setRotated(undefined);
    return <SecretShown webhook={rotated} title="The secret is rotated" crumbs={CRUMBS} onDone={close} />;
  }
  const health = data && healthOf(data);
  const tabs = data && [
    {
      id: 'overview',
      label: 'Overview',
      content: () => <WebhookOverview webhook={data} roleReason={roleReason} onRotated={setRotated} />,
    },
    { id: 'deliveries', label: 'Deliveries', content: () => <DeliveryList webhook={data} /> },
    {
      id: 'edit',
      label: 'Edit',
      content: () => <EditWebhook key={data.id} webhook={data} disabledReason={roleReason} />,
    },
    { id: 'verify', label: 'Verify', content: () => <VerifySamples /> },
  ];
  return (
    <RecordPage
      title={data?.url}
      description={data?.description ?? undefined}
      crumbs={CRUMBS}
      badge={health && <StatusBadge tone={health.tone}>{health.label}</StatusBadge>}
      actions={
        data && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/webhooks/${id}` }} />
            <WebhookActions
              webhook={data}
              roleReason={roleReason}
              onDeleted={() => router.history.push(pb.webhooks())}
            />
          </>
        )
      }
      notice={data?.enabled === false ? <DisabledNotice webhook={data} roleReason={roleReason} /> : undefined}
      {...(tabs === undefined ? {} : { tabs })}
      tab={tab}
      onTab={(next) =>
        setUrl({
          tab: next,
          after: undefined,
          status: undefined,
          event_type: undefined,
          since: undefined,
          until: undefined,
        })
      }
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

function DisabledNotice({ webhook, roleReason }: { webhook: Webhook; roleReason: string | undefined }) {
  const { disabled_reason: reason } = webhook;
  return (
    <Notice
      tone={reason === null ? 'info' : 'bad'}
      action={<ToggleWebhook webhook={webhook} disabledReason={roleReason} />}
    >
      {reason === null ? 'Somebody disabled this endpoint.' : `Posthorn disabled this endpoint: ${reason}`} It receives
      nothing. Deliveries that wait for it are sent when it is enabled, within 29 days.
    </Notice>
  );
}
