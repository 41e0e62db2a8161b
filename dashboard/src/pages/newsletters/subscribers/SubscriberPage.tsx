import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getNewsletterOptions, getSubscriberOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Newsletter, Subscriber } from '../../../api/generated/types.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { JsonView } from '../../../ui/code/JsonView.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { lazyTab } from '../../../ui/record/lazy-tab.tsx';
import { Properties, type Property } from '../../../ui/record/Properties.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { ImportedConsent } from './ImportedConsent.tsx';
import { METHODS, whyLeft } from './subscriber-words.ts';
import { SubscriberActions } from './SubscriberActions.tsx';
import { SubscriberStatusBadge } from './SubscriberStatusBadge.tsx';

const SubscriberHistory = lazyTab('history', () =>
  import('./SubscriberHistory.tsx').then((file) => file.SubscriberHistory),
);
const SubscriberIssues = lazyTab('issues', () =>
  import('./SubscriberIssues.tsx').then((file) => file.SubscriberIssues),
);
const EditSubscriber = lazyTab('edit', () => import('./EditSubscriber.tsx').then((file) => file.EditSubscriber));

const POLL_MS = 10_000;

/** One person on one list: how they came, what they agreed to, what they were sent. */
export function SubscriberPage() {
  const { id = '', subscriberId = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab', 'after']);
  const path = { id, subscriberId };
  const { data: newsletter } = useQuery(getNewsletterOptions({ path: { id } }));
  const { data: person, error, refetch } = useQuery({ ...getSubscriberOptions({ path }), refetchInterval: POLL_MS });
  const left = person && whyLeft(person);
  return (
    <RecordPage
      title={person?.email}
      crumbs={[
        { label: 'Newsletters', href: pb.newsletters() },
        { label: newsletter?.name ?? 'Newsletter', href: pb.newsletterTab(id, 'subscribers') },
      ]}
      badge={person && <SubscriberStatusBadge subscriber={person} />}
      actions={
        person && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/newsletters/${id}/subscribers/${person.id}` }} />
            <SubscriberActions person={person} />
          </>
        )
      }
      notice={left && <Notice tone={left.badge === undefined ? 'info' : 'bad'}>{left.sentence}</Notice>}
      tabs={person === undefined ? [] : tabsOf(person, newsletter)}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, after: undefined }, { push: true })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const tabsOf = (person: Subscriber, newsletter: Newsletter | undefined) => [
  { id: 'record', label: 'Record', content: () => <Record person={person} /> },
  { id: 'history', label: 'History', content: () => <SubscriberHistory person={person} /> },
  { id: 'issues', label: 'Issues received', content: () => <SubscriberIssues person={person} /> },
  {
    id: 'edit',
    label: 'Edit',
    content: () => <EditSubscriber key={person.id} person={person} newsletter={newsletter} />,
  },
];

function Record({ person }: { person: Subscriber }) {
  return (
    <>
      <Section title="Person" plain>
        <Properties items={propertiesOf(person)} />
      </Section>
      <Section title="Consent" description="The record of their agreement." plain>
        <Properties items={consentOf(person)} />
      </Section>
      <Section title="Metadata" description="Your own data. Issues can use it as subscriber.metadata." plain>
        <JsonView value={person.metadata} label="the metadata" />
      </Section>
    </>
  );
}

const propertiesOf = (person: Subscriber): Property[] => [
  { label: 'Address', value: person.email, copy: person.email },
  { label: 'Name', value: person.name },
  { label: 'Source', value: person.source },
  { label: 'Added', value: <RelativeTime at={person.created_at} /> },
  { label: 'Confirmed', value: <RelativeTime at={person.confirmed_at} none="Not confirmed" /> },
  ...(person.unsubscribed_at === null
    ? []
    : [{ label: 'Unsubscribed', value: <RelativeTime at={person.unsubscribed_at} /> }]),
  {
    label: 'Confirmation emails',
    value:
      person.confirmation_count === 0 ? (
        'None'
      ) : (
        <>
          {person.confirmation_count}, the last <RelativeTime at={person.confirmation_sent_at} />
        </>
      ),
  },
  { label: 'Last opened', value: <RelativeTime at={person.last_opened_at} /> },
  { label: 'Last clicked', value: <RelativeTime at={person.last_clicked_at} /> },
  { label: 'Id', value: person.id, copy: person.id, mono: true },
];

const VIA = { public: 'The sign-up form', api: 'The API or the dashboard', import: 'An import' } as const;

function consentOf(person: Subscriber): Property[] {
  const { consent } = person;
  const { method, signup_via: via } = consent;
  const shown = method === 'import' ? <ImportedConsent person={person} /> : method && METHODS[method];
  return [
    { label: 'Method', value: shown ?? 'Not on record' },
    { label: 'Came by', value: via === null ? null : VIA[via] },
    { label: 'Signed up', value: <RelativeTime at={consent.signup_at} none="Not on record" /> },
    { label: 'On the page', value: consent.signup_url },
    { label: 'From the network', value: consent.signup_ip, ...copyOf(consent.signup_ip) },
    { label: 'With the browser', value: consent.signup_user_agent },
    { label: 'Confirmed', value: <RelativeTime at={consent.confirmed_at} none="Not on record" /> },
    { label: 'Confirmed from', value: consent.confirmed_ip, ...copyOf(consent.confirmed_ip) },
  ];
}

const copyOf = (text: string | null): { copy?: string } => (text === null ? {} : { copy: text });
