import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  Ban,
  Bell,
  CalendarClock,
  Contact,
  FileSearch,
  FileUp,
  Funnel,
  Globe,
  Inbox,
  KeyRound,
  LayoutTemplate,
  List,
  type LucideIcon,
  MailOpen,
  Megaphone,
  Newspaper,
  Send,
  SquareTerminal,
  Workflow,
} from 'lucide-react';
import {
  getApiKey,
  getBatch,
  getBroadcast,
  getCapturedEmail,
  getContact,
  getAutomation,
  getDomain,
  getEmail,
  getImport,
  getInboundEmail,
  getList,
  getNewsletter,
  getRequest,
  getScheduledEmail,
  getSegment,
  getSend,
  getSuppression,
  getTemplate,
  getWebhook,
  listApiKeys,
  listDomains,
  listEmails,
  listNewsletters,
  listRequests,
} from '../../api/generated/sdk.gen.ts';
import { mayBeProviderId } from '../../lib/mail/message-id.ts';
import { pb } from '../../lib/paths.ts';
import type { Command } from './command.ts';
import { type Named, readQuery } from './read-query.ts';

const TYPING_MS = 200;
const SHOWN = '5';
const group = 'Find';

/**
 * The thing that a text names: an id, a Message-ID, an address, a request id, a subject. Records that the API finds
 * lead to their pages; below them are the lists that can be searched for the text. A kind that the role may not read is
 * left out.
 */
export function useFound(query: string): readonly Command[] {
  const [text] = useDebouncedValue(query.trim(), TYPING_MS);
  const named = readQuery(text);
  const { data } = useQuery({
    queryKey: [{ _id: 'find' }, text],
    queryFn: () => recordsOf(named),
    enabled: named.kind !== 'nothing',
    placeholderData: keepPreviousData,
    retry: false,
  });
  return named.kind === 'nothing' ? [] : [...(data ?? []), ...listsFor(query)];
}

async function recordsOf(named: Named): Promise<readonly Command[]> {
  switch (named.kind) {
    case 'id':
      return recordsWithId(named.id);
    case 'request':
      return found([
        listRequests({ query: { request_id: named.id, limit: SHOWN } }).then(({ data }) =>
          data.data.map((one) => command('request', one.id, `${one.method} ${one.path}`, SquareTerminal, pb.request)),
        ),
      ]);
    case 'message':
      return found([emailsBy({ provider_message_id: named.providerId })]);
    case 'address':
      return found([contactAt(named.address), suppressionAt(named.address), emailsBy({ to: named.address })]);
    case 'words':
      return found([
        ...(mayBeProviderId(named.words) ? [emailsBy({ provider_message_id: named.words })] : []),
        ...(/\s/.test(named.words) ? [] : [domainsLike(named.words)]),
        newslettersLike(named.words),
        keysLike(named.words),
        emailsBy({ subject: named.words }),
      ]);
    case 'nothing':
      return [];
  }
}

/** All kinds are asked at once: an id does not say what it is of. */
const recordsWithId = (id: string): Promise<readonly Command[]> => {
  const path = { id };
  return found([
    getEmail({ path }).then(({ data }) => [command('email', id, data.subject, Send, pb.email)]),
    getScheduledEmail({ path }).then(({ data }) => [
      command('scheduled email', id, data.subject ?? data.to.join(', '), CalendarClock, pb.scheduledEmail),
    ]),
    getBroadcast({ path }).then(({ data }) => [command('broadcast', id, data.name, Megaphone, pb.broadcast)]),
    getTemplate({ path }).then(({ data }) => [command('template', id, data.name, LayoutTemplate, pb.template)]),
    getContact({ path }).then(({ data }) => [command('contact', id, data.email, Contact, pb.contact)]),
    getList({ path }).then(({ data }) => [command('list', id, data.name, List, pb.list)]),
    getSegment({ path }).then(({ data }) => [command('segment', id, data.name, Funnel, pb.segment)]),
    getAutomation({ path }).then(({ data }) => [command('automation', id, data.name, Workflow, pb.automation)]),
    getNewsletter({ path }).then(({ data }) => [command('newsletter', id, data.name, Newspaper, pb.newsletter)]),
    getApiKey({ path }).then(({ data }) => [command('API key', id, data.name, KeyRound, pb.key)]),
    getDomain({ path }).then(({ data: { data } }) => [command('domain', id, data.domain, Globe, pb.domain)]),
    getWebhook({ path }).then(({ data }) => [command('webhook', id, data.url, Bell, pb.webhook)]),
    getRequest({ path }).then(({ data }) => [
      command('request', id, `${data.method} ${data.path}`, SquareTerminal, pb.request),
    ]),
    suppressionAt(id),
    getCapturedEmail({ path }).then(({ data }) => [command('captured email', id, data.subject, Inbox, pb.outboxEmail)]),
    getInboundEmail({ path }).then(({ data }) => [
      command('received email', id, data.subject ?? '', MailOpen, pb.receivedEmail),
    ]),
    getImport({ path }).then(() => [command('import', id, 'Import', FileUp, pb.import)]),
    getSend({ path: { jobId: id } }).then(() => [command('send', id, 'Send', Send, pb.send)]),
    getBatch({ path }).then(() => [command('batch', id, 'Batch', Send, pb.batch)]),
  ]);
};

const emailsBy = (by: { to: string } | { subject: string } | { provider_message_id: string }) =>
  listEmails({ query: { ...by, limit: SHOWN } }).then(({ data }) =>
    data.data.map((email) => ({
      ...command('email', email.id, email.subject, Send, pb.email),
      description: `Email to ${email.to.join(', ')}`,
    })),
  );

const contactAt = (address: string) =>
  getContact({ path: { id: address } }).then(({ data }) => [
    command('contact', data.id, data.email, Contact, pb.contact),
  ]);

const suppressionAt = (id_or_email: string) =>
  getSuppression({ path: { id_or_email } }).then(({ data }) => [
    command('suppression', data.id, data.email, Ban, pb.suppression),
  ]);

interface Called {
  id: string;
  name: string;
}

/** The first of these records whose name has that part. */
const namedLike = (part: string, all: readonly Called[], toCommand: (one: Called) => Command): readonly Command[] =>
  all
    .filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()))
    .slice(0, Number(SHOWN))
    .map(toCommand);

const newslettersLike = (part: string) =>
  listNewsletters({ query: { limit: '100' } }).then(({ data: { data } }) =>
    namedLike(part, data, ({ id, name }) => command('newsletter', id, name, Newspaper, pb.newsletter)),
  );

const keysLike = (part: string) =>
  listApiKeys({ query: { limit: '100' } }).then(({ data: { data } }) =>
    namedLike(part, data, ({ id, name }) => command('API key', id, name, KeyRound, pb.key)),
  );

const domainsLike = (part: string) =>
  listDomains().then(({ data: { data } }) => {
    const all = data.map(({ id, domain }) => ({ id, name: domain }));
    return namedLike(part, all, ({ id, name }) => command('domain', id, name, Globe, pb.domain));
  });

/** A record that is not there, or not for this role, is not found. */
async function found(asked: readonly Promise<readonly Command[]>[]): Promise<readonly Command[]> {
  const answers = await Promise.allSettled(asked);
  const all = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

const command = (kind: string, id: string, label: string, icon: LucideIcon, href: (id: string) => string): Command => ({
  id: `find-${kind}-${id}`,
  label,
  group,
  description: `${kind[0]?.toUpperCase()}${kind.slice(1)}`,
  icon,
  href: href(id),
});

/** The lists that can be searched for a text. */
function listsFor(query: string): readonly Command[] {
  const text = query.trim();
  const search = encodeURIComponent(text);
  const list = (id: string, words: string, icon: LucideIcon, path: string): Command => ({
    id: `find-in-${id}`,
    label: `Search ${words} for “${text}”`,
    group,
    icon,
    href: `${path}?search=${search}`,
  });
  const named = readQuery(text);
  const requests = list('requests', 'requests', FileSearch, pb.requests());
  if (named.kind === 'nothing') return [];
  if (named.kind === 'id' || named.kind === 'request') return [requests];
  const emails = list('emails', 'emails', FileSearch, pb.emails());
  const contacts = list('contacts', 'contacts', Contact, pb.contacts());
  if (named.kind === 'words') return [emails, contacts];
  if (named.kind === 'message') return [emails];
  return [emails, contacts, list('suppressions', 'suppressions', Ban, pb.suppressions()), requests];
}
