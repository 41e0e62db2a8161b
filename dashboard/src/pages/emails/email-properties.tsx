import type { Email } from '../../api/generated/types.gen.ts';
import { counted } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import type { Property } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { DomainLink, IssueLink, KeyLink, NewsletterLink, TemplateLink } from './record-links.tsx';
import { SOURCES } from '../../lib/mail/sources.ts';

/** The fields of an email with links to all that it belongs to. A field without a value is left out. */
export function propertiesOf(email: Email): Property[] {
  const { newsletter_id: newsletter, issue_id: issue } = email;
  const all: (Property | false)[] = [
    { label: 'From', value: email.from, copy: email.from },
    ...(['to', 'cc', 'bcc', 'reply_to'] as const).map((name) => addresses(LABELS[name], email[name])),
    { label: 'Accepted', value: <RelativeTime at={email.created_at} /> },
    email.sent_at !== null && { label: 'Sent', value: <RelativeTime at={email.sent_at} /> },
    email.delivered_at !== null && { label: 'Delivered', value: <RelativeTime at={email.delivered_at} /> },
    email.expires_at !== null && { label: 'Expires', value: <RelativeTime at={email.expires_at} /> },
    email.error !== null && { label: 'Error', value: email.error, copy: email.error },
    { label: 'Opens', value: byPeople(email.open_count, email.machine_open_count, 'open') },
    { label: 'Clicks', value: byPeople(email.click_count, email.machine_click_count, 'click') },
    email.source !== null && { label: 'Source', value: SOURCES[email.source] },
    email.job_id !== null && { label: 'Send', value: <a href={pb.send(email.job_id)}>All emails of this send</a> },
    email.scheduled_id !== null && {
      label: 'Scheduled',
      value: <a href={pb.scheduledEmail(email.scheduled_id)}>Open the scheduled email</a>,
    },
    email.template_id !== null && { label: 'Template', value: <TemplateLink id={email.template_id} /> },
    email.domain_id !== null && { label: 'Domain', value: <DomainLink id={email.domain_id} /> },
    newsletter !== null && { label: 'Newsletter', value: <NewsletterLink id={newsletter} /> },
    newsletter !== null && issue !== null && { label: 'Issue', value: <IssueLink id={newsletter} issueId={issue} /> },
    email.request_id !== null && {
      label: 'Request',
      value: <a href={`${pb.requests()}?search=${encodeURIComponent(email.request_id)}`}>{email.request_id}</a>,
      copy: email.request_id,
      mono: true,
    },
    email.api_key_id !== null && { label: 'API key', value: <KeyLink id={email.api_key_id} /> },
    email.tags.length > 0 && {
      label: 'Tags',
      value: email.tags.map(({ name, value }) => `${name}: ${value}`).join(', '),
    },
    Object.keys(email.metadata).length > 0 && { label: 'Metadata', value: JSON.stringify(email.metadata), mono: true },
    email.sandbox && { label: 'Sandbox', value: 'Kept on this server, never delivered' },
    { label: 'Message-ID', value: email.message_id, copy: email.message_id, mono: true },
    email.provider_message_id !== null && {
      label: 'Provider’s id',
      value: email.provider_message_id,
      copy: email.provider_message_id,
      mono: true,
    },
    { label: 'Id', value: email.id, copy: email.id, mono: true },
  ];
  return all.filter((one) => one !== false);
}

const LABELS = { to: 'To', cc: 'Cc', bcc: 'Bcc', reply_to: 'Reply to' } as const;

const addresses = (label: string, list: readonly string[]): Property | false =>
  list.length > 0 && { label, value: list.join(', '), copy: list.join(', ') };

function byPeople(people: number, machines: number, what: string): string {
  return machines === 0 ? String(people) : `${people}, and ${counted(machines, what)} by machines`;
}
