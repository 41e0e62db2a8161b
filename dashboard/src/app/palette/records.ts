import {
  Ban,
  Bell,
  CalendarClock,
  Contact,
  FileUp,
  Funnel,
  Globe,
  Inbox,
  KeyRound,
  LayoutTemplate,
  List,
  ListChecks,
  type LucideIcon,
  MailOpen,
  Megaphone,
  Newspaper,
  Send,
  SquareTerminal,
  UserRound,
  Workflow,
} from 'lucide-react';
import type { NamedRecord, RecordType } from '../../api/generated/types.gen.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { pb } from '../../lib/paths.ts';
import type { Command } from './command.ts';

interface Place {
  /** Its kind, in the words of a person. */
  words: string;
  icon: LucideIcon;
  /** Its page; `parentId` is empty where the kind has no parent. */
  href: (id: string, parentId: string) => string;
  /** Its name is a subject whose variables are filled for each reader. */
  isFilled?: true;
}

const of = (words: string, icon: LucideIcon, href: Place['href']): Place => ({ words, icon, href });

/** The page of each kind of record. An export and an image have none. */
const PLACES: Readonly<Partial<Record<RecordType, Place>>> = {
  email: of('Email', Send, pb.email),
  scheduled_email: of('Scheduled email', CalendarClock, pb.scheduledEmail),
  send: of('Send', Send, pb.send),
  batch: of('Batch', Send, pb.batch),
  captured_email: of('Captured email', Inbox, pb.outboxEmail),
  inbound_email: of('Received email', MailOpen, pb.receivedEmail),
  broadcast: of('Broadcast', Megaphone, pb.broadcast),
  template: of('Template', LayoutTemplate, pb.template),
  contact: of('Contact', Contact, pb.contact),
  list: of('List', List, pb.list),
  segment: of('Segment', Funnel, pb.segment),
  bulk_job: of('Change of many contacts', ListChecks, pb.bulkJob),
  newsletter: of('Newsletter', Newspaper, pb.newsletter),
  issue: { ...of('Issue', Newspaper, (id, newsletterId) => pb.issue(newsletterId, id)), isFilled: true },
  subscriber: of('Subscriber', UserRound, (id, newsletterId) => pb.subscriber(newsletterId, id)),
  automation: of('Automation', Workflow, pb.automation),
  automation_run: of('Run of an automation', Workflow, (id, automationId) => pb.automationRun(automationId, id)),
  webhook: of('Webhook', Bell, pb.webhook),
  webhook_delivery: of('Webhook delivery', Bell, (id, webhookId) => pb.delivery(webhookId, id)),
  event: of('Event', Bell, (_id, emailId) => (emailId === '' ? pb.events() : pb.email(emailId))),
  domain: of('Domain', Globe, pb.domain),
  api_key: of('API key', KeyRound, pb.key),
  suppression: of('Suppression', Ban, pb.suppression),
  import: of('Import', FileUp, pb.import),
  request: of('Request', SquareTerminal, pb.request),
};

/** Leads to the page of a record; none for a kind without a page. */
export function toRecord({ type, id, name, parent }: Readonly<NamedRecord>): Command[] {
  const place = PLACES[type];
  if (place === undefined) return [];
  const { words, icon, href, isFilled } = place;
  return [
    {
      id: `find-${type}-${id}`,
      label: (isFilled && name !== null ? shownSubject(name) : name) || words,
      group: 'Find',
      description: words,
      icon,
      href: href(id, parent?.id ?? ''),
    },
  ];
}
