import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getNewsletterOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Newsletter } from '../../api/generated/types.gen.ts';
import { counted } from '../../lib/number.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { IssuesTab } from './IssuesTab.tsx';
import { NewIssue } from './NewIssue.tsx';
import { hasObstacle, NewsletterNotices } from './NewsletterNotices.tsx';
import { useEarlySubscribers } from './subscribers/subscribers-query.ts';

const SubscribersTab = lazyTab('subscribers', () =>
  import('./subscribers/SubscribersTab.tsx').then((file) => file.SubscribersTab),
);
const GrowthTab = lazyTab('growth', () => import('./GrowthTab.tsx').then((file) => file.GrowthTab));
const SignUpTab = lazyTab('sign-up', () => import('./SignUpTab.tsx').then((file) => file.SignUpTab));
const SettingsTab = lazyTab('settings', () => import('./settings/SettingsTab.tsx').then((file) => file.SettingsTab));

/** The state of one tab: it leaves the address with the tab. */
const OF_TABS = [
  'tab',
  'after',
  'status',
  'search',
  'source',
  'sort',
  'add',
  'theme',
  'layout',
  'width',
  'scheme',
  'pictures',
  'range',
] as const;

/** A newsletter: its issues, its people, how people come to it, and its settings. */
export function NewsletterPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(OF_TABS);
  useEarlySubscribers(id, tab === 'subscribers');
  const { data: newsletter, error, refetch } = useQuery(getNewsletterOptions({ path: { id } }));
  const openTab = (next: string | undefined) => {
    const cleared = Object.fromEntries(OF_TABS.map((name) => [name, undefined]));
    setUrl({ ...cleared, tab: next }, { push: true });
  };
  return (
    <RecordPage
      title={newsletter?.name}
      description={newsletter && summaryOf(newsletter)}
      crumbs={[{ label: 'Newsletters', href: pb.newsletters() }]}
      badge={newsletter?.signup_enabled === false && <StatusBadge tone="quiet">Sign-up closed</StatusBadge>}
      actions={
        newsletter && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/newsletters/${id}` }} />
            <ActionButton variant="subtle" href={withQuery(pb.emails(), { newsletter_id: id })}>
              Its emails
            </ActionButton>
            <NewIssue newsletterId={id} />
          </>
        )
      }
      notice={newsletter && hasObstacle(newsletter) ? <NewsletterNotices newsletter={newsletter} /> : undefined}
      tabs={newsletter === undefined ? [] : tabsOf(newsletter)}
      tab={tab}
      onTab={openTab}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const tabsOf = (newsletter: Newsletter) => [
  { id: 'issues', label: 'Issues', content: () => <IssuesTab newsletter={newsletter} /> },
  { id: 'subscribers', label: 'Subscribers', content: () => <SubscribersTab newsletter={newsletter} /> },
  { id: 'growth', label: 'Growth', content: () => <GrowthTab newsletter={newsletter} /> },
  { id: 'sign-up', label: 'Sign-up', content: () => <SignUpTab newsletter={newsletter} /> },
  {
    id: 'settings',
    label: 'Settings',
    content: () => <SettingsTab key={newsletter.id} newsletter={newsletter} />,
  },
];

function summaryOf({ subscriber_counts: { active, pending }, from_email }: Newsletter): string {
  const people = `${counted(active, 'active subscriber')}${pending === 0 ? '' : `, ${counted(pending, 'pending', 'pending')}`}`;
  return from_email === null ? `${people}.` : `${people}. Sent from ${from_email}.`;
}
