/** The header fields of mail to a list (RFC 2369, 2919, 8058), which the outbox puts into every message and signs. */
import { encodePhrase } from '../headers/header-text.ts';
import { idToBytes } from '#platform/ids.ts';

type Header = { name: string; value: string };

/** Providers take values up to 870 characters; a name of this length stays below it however it is encoded. */
const NAME_CHARS_MAX = 60;
/**
 * The name of the sender on behalf of all: the last part of Feedback-ID, by which large receivers report complaints.
 */
const FEEDBACK_SENDER = 'posthorn';

/** A list, as its mail names it. `slug` and the domain together are its name among all lists there are. */
export interface MailList {
  workspaceId: string;
  id: string;
  name: string;
  slug: string;
}

/** The headers that all recipients of one mail to a list share; `mailId` is the issue or broadcast. */
export const sharedHeaders = (list: MailList, domain: string, mailId: string): Header[] => [
  ...namingHeaders(list, domain, shortId(mailId)),
  { name: 'Precedence', value: 'bulk' },
];

/** The same for mail of a list to one person. Complaints about it are reported by its kind, apart from the issues. */
export const personalHeaders = (list: MailList, domain: string, kind: 'confirmation'): Header[] =>
  namingHeaders(list, domain, kind);

function namingHeaders(list: MailList, domain: string, mailing: string): Header[] {
  const ids = [mailing, shortId(list.id), shortId(list.workspaceId)];
  return [
    { name: 'List-Id', value: listIdOf(list, domain) },
    { name: 'Feedback-ID', value: [...ids, FEEDBACK_SENDER].join(':') },
  ];
}

/**
 * The ways out without opening the email: an address that takes a POST and answers at once, and where there is one, an
 * address that takes mail, for programs that know no other way.
 */
export const leavingHeaders = (unsubscribeUrl: string, mailTo: string | null = null): Header[] => [
  {
    name: 'List-Unsubscribe',
    value: `<${unsubscribeUrl}>${mailTo === null ? '' : `, <mailto:${mailTo}?subject=unsubscribe>`}`,
  },
  { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
];

/** As the content of a send has them. */
export const byName = (headers: readonly Header[]): Record<string, string> =>
  Object.fromEntries(headers.map(({ name, value }) => [name, value]));

function listIdOf({ name, slug }: MailList, domain: string): string {
  const phrase = encodePhrase(Array.from(name).slice(0, NAME_CHARS_MAX).join(''));
  return `${phrase === '' ? '' : `${phrase} `}<${slug}.${domain}>`;
}

const shortId = (id: string): string => idToBytes(id).toString('base64url');
