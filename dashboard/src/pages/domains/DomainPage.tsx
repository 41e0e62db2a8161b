import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { getDomainOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Domain } from '../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage, type RecordTab } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { DeleteDomain } from './DeleteDomain.tsx';
import { isSandbox, pollMsOf, STATES } from './domain-state.ts';
import { RecordsTab } from './RecordsTab.tsx';
import { SelfHosted } from './SelfHosted.tsx';

const ChecksTab = lazyTab('checks', () => import('./ChecksTab.tsx').then((file) => file.ChecksTab));
const LimitsTab = lazyTab('limits', () => import('./LimitsTab.tsx').then((file) => file.LimitsTab));
const ReceivingTab = lazyTab('receiving', () =>
  import('./receiving/ReceivingTab.tsx').then((file) => file.ReceivingTab),
);
const BimiTab = lazyTab('logo', () => import('./bimi/BimiTab.tsx').then((file) => file.BimiTab));

const CRUMBS = [{ label: 'Domains', href: pb.domains() }];

/** One domain: its DNS records, the checks of these, its limits, the mail that it receives, and its logo. */
export function DomainPage() {
  const { workspace } = useSession();
  return workspace?.edition === 'self-hosted' ? <SelfHosted title="Domain" crumbs={CRUMBS} /> : <OneDomain />;
}

function OneDomain() {
  const { id = '' } = useParams({ strict: false });
  const router = useRouter();
  const [{ tab }, setUrl] = useUrlState(['tab', 'after', 'check']);
  const whyNot = useWhyNot('domains:write');
  const { data, error, refetch } = useQuery({
    ...getDomainOptions({ path: { id } }),
    refetchInterval: ({ state }) => state.data !== undefined && pollMsOf(state.data.data),
  });
  const domain = data?.data;
  const state = domain && STATES[domain.dkim_status];
  return (
    <RecordPage
      title={domain?.domain}
      crumbs={CRUMBS}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      actions={
        domain && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/domains/${id}` }} />
            <ActionButton variant="subtle" href={withQuery(pb.emails(), { domain_id: id })}>
              Its emails
            </ActionButton>
            <DeleteDomain domain={domain} roleReason={whyNot} onDeleted={() => router.history.push(pb.domains())} />
          </>
        )
      }
      {...(domain === undefined ? {} : { tabs: tabsOf(domain, whyNot) })}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, after: undefined, check: undefined })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

function tabsOf(domain: Domain, whyNot: string | undefined): RecordTab[] {
  const records = {
    id: 'records',
    label: 'DNS records',
    content: () => <RecordsTab domain={domain} whyNot={whyNot} />,
  };
  const limits = {
    id: 'limits',
    label: 'Limits',
    content: () => <LimitsTab key={domain.id} domain={domain} whyNot={whyNot} />,
  };
  // It stands in no DNS: nothing of it is checked, and no mailbox shows a logo for it.
  if (isSandbox(domain)) return [records, limits];
  return [
    records,
    { id: 'checks', label: 'Checks', content: () => <ChecksTab domain={domain} /> },
    limits,
    {
      id: 'receiving',
      label: 'Receiving',
      content: () => <ReceivingTab key={domain.id} domain={domain} whyNot={whyNot} />,
    },
    { id: 'logo', label: 'Logo', content: () => <BimiTab key={domain.id} domain={domain} whyNot={whyNot} /> },
  ];
}
