import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Ban, Contact, FileSearch, type LucideIcon } from 'lucide-react';
import { getEmail, getRecord, listEmails, listRequests, searchRecords } from '../../api/generated/sdk.gen.ts';
import type { RecordType } from '../../api/generated/types.gen.ts';
import { shownSubjectOf } from '../../lib/blocks/shown-subject.ts';
import { mayBeProviderId } from '../../lib/mail/message-id.ts';
import { pb } from '../../lib/paths.ts';
import type { Command } from './command.ts';
import { type Named, readQuery } from './read-query.ts';
import { toRecord } from './records.ts';

const TYPING_MS = 200;
const SHOWN = '5';
const group = 'Find';

export interface Found {
  records: readonly Command[];
  /** Lists that can be searched for the text. */
  lists: readonly Command[];
}

/**
 * The thing that a text names: an id, a Message-ID, an address, a request id, a subject. Records that the API finds
 * lead to their pages. A kind that the role may not read is
 * left out. Undefined until the server has answered for the whole text.
 */
export function useFound(query: string): Found | undefined {
  const [text] = useDebouncedValue(query.trim(), TYPING_MS);
  const named = readQuery(text);
  const { data, isPending } = useQuery({
    queryKey: [{ _id: 'find' }, text],
    queryFn: () => recordsOf(named),
    enabled: named.kind !== 'nothing',
    retry: false,
  });
  if (text !== query.trim()) return undefined;
  if (named.kind === 'nothing') return { records: [], lists: [] };
  return isPending ? undefined : { records: data ?? [], lists: listsFor(query) };
}

async function recordsOf(named: Named): Promise<readonly Command[]> {
  switch (named.kind) {
    case 'id':
      return found([recordOf(named.id)]);
    case 'request':
      return found([
        listRequests({ query: { request_id: named.id, limit: SHOWN } }).then(({ data }) =>
          data.data.flatMap((one) => to('request', one.id, `${one.method} ${one.path}`)),
        ),
      ]);
    case 'message':
      return found([emailsBy({ provider_message_id: named.providerId })]);
    case 'address':
      return found([recordsNamed(named.address), emailsBy({ to: named.address })]);
    case 'words':
      return found([
        ...(mayBeProviderId(named.words) ? [emailsBy({ provider_message_id: named.words })] : []),
        recordsNamed(named.words),
        emailsBy({ subject: named.words }),
      ]);
    case 'nothing':
      return [];
  }
}

const to = (type: RecordType, id: string, name: string): readonly Command[] =>
  toRecord({ type, id, name, parent: null });

/** Only an email itself says whether its subject has variables. */
async function recordOf(id: string): Promise<readonly Command[]> {
  const { data } = await getRecord({ path: { id } });
  if (data.type !== 'email') return toRecord(data);
  const { data: email } = await getEmail({ path: { id } });
  return to('email', id, shownSubjectOf(email));
}

const emailsBy = (by: { to: string } | { subject: string } | { provider_message_id: string }) =>
  listEmails({ query: { ...by, limit: SHOWN } }).then(({ data }) =>
    data.data.flatMap((email) =>
      to('email', email.id, shownSubjectOf(email)).map((one) => ({
        ...one,
        description: `Email to ${email.to.join(', ')}`,
      })),
    ),
  );

/** Of all kinds but emails: those of an address, or with a part of a name. */
const recordsNamed = (search: string) =>
  searchRecords({ query: { search } }).then(({ data }) => data.data.flatMap(toRecord));

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
