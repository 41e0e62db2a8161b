import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Ban, Contact, FileSearch, type LucideIcon } from 'lucide-react';
import {
  getRecord,
  getSuppression,
  listApiKeys,
  listContacts,
  listDomains,
  listEmails,
  listIssues,
  listNewsletters,
  listRequests,
  listSubscribers,
} from '../../api/generated/sdk.gen.ts';
import type { RecordType } from '../../api/generated/types.gen.ts';
import { mayBeProviderId } from '../../lib/mail/message-id.ts';
import { pb } from '../../lib/paths.ts';
import type { Command } from './command.ts';
import { type Named, readQuery } from './read-query.ts';
import { toRecord } from './records.ts';

const TYPING_MS = 200;
const SHOWN = '5';
const group = 'Find';

/**
 * The thing that a text names: an id, a Message-ID, an address, a request id, a subject. Records that the API finds
 * lead to their pages; below them are the lists that can be searched for the text. A kind that the role may not read is
 * left out. Subscribers and issues are searched in the newsletter that is open, and in no other. Undefined until the
 * server has answered for the whole text.
 */
export function useFound(query: string): readonly Command[] | undefined {
  const [text] = useDebouncedValue(query.trim(), TYPING_MS);
  const newsletterId = useRouterState({ select: ({ location }) => OPEN_NEWSLETTER.exec(location.pathname)?.[1] });
  const named = readQuery(text);
  const { data, isPending } = useQuery({
    queryKey: [{ _id: 'find' }, text, newsletterId],
    queryFn: () => recordsOf(named, newsletterId),
    enabled: named.kind !== 'nothing',
    retry: false,
  });
  if (text !== query.trim()) return undefined;
  if (named.kind === 'nothing') return [];
  return isPending ? undefined : [...(data ?? []), ...listsFor(query)];
}

const OPEN_NEWSLETTER = /^\/newsletters\/([0-9a-f-]{36})(?:\/|$)/;

async function recordsOf(named: Named, newsletterId: string | undefined): Promise<readonly Command[]> {
  switch (named.kind) {
    case 'id':
      return found([getRecord({ path: { id: named.id } }).then(({ data }) => toRecord(data))]);
    case 'request':
      return found([
        listRequests({ query: { request_id: named.id, limit: SHOWN } }).then(({ data }) =>
          data.data.flatMap((one) => to('request', one.id, `${one.method} ${one.path}`)),
        ),
      ]);
    case 'message':
      return found([emailsBy({ provider_message_id: named.providerId })]);
    case 'address':
      return found([
        contactsAt(named.address),
        ...(newsletterId === undefined ? [] : [subscribersAt(newsletterId, named.address)]),
        suppressionAt(named.address),
        emailsBy({ to: named.address }),
      ]);
    case 'words':
      return found([
        ...(mayBeProviderId(named.words) ? [emailsBy({ provider_message_id: named.words })] : []),
        ...(/\s/.test(named.words) ? [] : [domainsLike(named.words)]),
        ...(newsletterId === undefined ? [] : [issuesLike(newsletterId, named.words)]),
        newslettersLike(named.words),
        keysLike(named.words),
        emailsBy({ subject: named.words }),
      ]);
    case 'nothing':
      return [];
  }
}

const to = (type: RecordType, id: string, name: string, newsletterId?: string): readonly Command[] =>
  toRecord({ type, id, name, parent: newsletterId === undefined ? null : { type: 'newsletter', id: newsletterId } });

const emailsBy = (by: { to: string } | { subject: string } | { provider_message_id: string }) =>
  listEmails({ query: { ...by, limit: SHOWN } }).then(({ data }) =>
    data.data.flatMap((email) =>
      to('email', email.id, email.subject).map((one) => ({ ...one, description: `Email to ${email.to.join(', ')}` })),
    ),
  );

// The list and not the path: an address that is not there is no failed request in the log.
const contactsAt = (email: string) =>
  listContacts({ query: { email, limit: SHOWN } }).then(({ data }) =>
    data.data.flatMap((one) => to('contact', one.id, one.email)),
  );

const subscribersAt = (newsletterId: string, search: string) =>
  listSubscribers({ path: { id: newsletterId }, query: { search, limit: SHOWN } }).then(({ data }) =>
    data.data.flatMap((one) => to('subscriber', one.id, one.email, newsletterId)),
  );

// By the path: the list looks for a part of the address, in all of them.
const suppressionAt = (id_or_email: string) =>
  getSuppression({ path: { id_or_email } }).then(({ data }) => to('suppression', data.id, data.email));

interface Called {
  id: string;
  name: string;
}

/** The first of these records whose name has that part. */
const namedLike = (part: string, all: readonly Called[]): readonly Called[] =>
  all.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase())).slice(0, Number(SHOWN));

/** Of the newest hundred. */
const issuesLike = (newsletterId: string, part: string) =>
  listIssues({ path: { id: newsletterId }, query: { limit: '100' } }).then(({ data: { data } }) => {
    const all = data.map(({ id, subject }) => ({ id, name: subject }));
    return namedLike(part, all).flatMap(({ id, name }) => to('issue', id, name, newsletterId));
  });

const newslettersLike = (part: string) =>
  listNewsletters({ query: { limit: '100' } }).then(({ data: { data } }) =>
    namedLike(part, data).flatMap(({ id, name }) => to('newsletter', id, name)),
  );

const keysLike = (part: string) =>
  listApiKeys({ query: { limit: '100' } }).then(({ data: { data } }) =>
    namedLike(part, data).flatMap(({ id, name }) => to('api_key', id, name)),
  );

const domainsLike = (part: string) =>
  listDomains().then(({ data: { data } }) => {
    const all = data.map(({ id, domain }) => ({ id, name: domain }));
    return namedLike(part, all).flatMap(({ id, name }) => to('domain', id, name));
  });

/** A record that is not there, or not for this role, is not found. */
async function found(asked: readonly Promise<readonly Command[]>[]): Promise<readonly Command[]> {
  const answers = await Promise.allSettled(asked);
  const all = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

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
