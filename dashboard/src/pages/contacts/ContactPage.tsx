import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { allProperties } from '../../api/audience.ts';
import { getContactOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Contact } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { stateOfContact } from './contact-state.ts';
import { ContactActions } from './ContactActions.tsx';
import { ContactLists } from './ContactLists.tsx';
import { ContactStateBadge } from './ContactStateBadge.tsx';

const ContactActivity = lazyTab('activity', () => import('./ContactActivity.tsx').then((file) => file.ContactActivity));
const EditContact = lazyTab('edit', () => import('./EditContact.tsx').then((file) => file.EditContact));

/** One person: fields, properties, lists, and the emails to them. */
export function ContactPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab', 'after']);
  const { data: contact, error, refetch } = useQuery(getContactOptions({ path: { id } }));
  const state = contact && stateOfContact(contact);
  return (
    <RecordPage
      title={contact?.email}
      crumbs={[{ label: 'Contacts', href: pb.contacts() }]}
      badge={contact && <ContactStateBadge contact={contact} />}
      actions={
        contact && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/contacts/${encodeURIComponent(contact.email)}` }} />
            <ContactActions contact={contact} />
          </>
        )
      }
      notice={
        contact &&
        state?.why !== undefined && (
          <Notice
            tone={contact.suppressed ? 'bad' : 'info'}
            action={contact.suppressed && <a href={pb.suppression(contact.email)}>The suppression</a>}
          >
            {state.why}
          </Notice>
        )
      }
      tabs={contact === undefined ? [] : tabsOf(contact)}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, after: undefined }, { push: true })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const tabsOf = (contact: Contact) => [
  { id: 'record', label: 'Record', content: () => <Record contact={contact} /> },
  { id: 'activity', label: 'Activity', content: () => <ContactActivity contact={contact} /> },
  { id: 'edit', label: 'Edit', content: () => <EditContact key={contact.id} id={contact.id} /> },
];

function Record({ contact }: { contact: Contact }) {
  return (
    <>
      <Section title="Person" plain>
        <Properties items={propertiesOf(contact)} />
      </Section>
      <Section title="Properties" description="Segments and templates can use them." plain>
        <OwnProperties contact={contact} />
      </Section>
      <ContactLists contact={contact} />
    </>
  );
}

const propertiesOf = (contact: Contact): Property[] => [
  { label: 'Address', value: contact.email, copy: contact.email },
  { label: 'Name', value: contact.name },
  { label: 'Time zone', value: contact.timezone },
  { label: 'Language', value: contact.language },
  { label: 'Added', value: <RelativeTime at={contact.created_at} /> },
  { label: 'Changed', value: <RelativeTime at={contact.updated_at} /> },
  ...(contact.unsubscribed_at === null
    ? []
    : [{ label: 'Unsubscribed', value: <RelativeTime at={contact.unsubscribed_at} /> }]),
  { label: 'Id', value: contact.id, copy: contact.id, mono: true },
];

function OwnProperties({ contact: { id, properties } }: { contact: Contact }) {
  const { data: known = [] } = useQuery(allProperties);
  const entries = Object.entries(properties);
  if (entries.length === 0) {
    return (
      <p>
        None. <a href={pb.contactTab(id, 'edit')}>Add one</a>.
      </p>
    );
  }
  const isDate = (key: string) => known.some((one) => one.key === key && one.type === 'date');
  return <Properties items={entries.map(([key, value]) => ({ label: key, value: shown(value, isDate(key)) }))} />;
}

/** A day stays a day; an instant is shown in the zone of the reader. */
function shown(value: string | number | boolean, isDate: boolean) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (isDate && String(value).includes('T')) return <RelativeTime at={String(value)} />;
  return String(value);
}
