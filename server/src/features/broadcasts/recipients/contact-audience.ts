import { type ContactKey, listContactsWhoStay } from '#features/contacts';
import type { Audience } from '#features/outbox';
import { leavingHeaders } from '#mail/list-mail/list-headers.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { contactLinkUrl, signContactLink } from '../content/contact-link.ts';
import { contactVariables } from '../content/contact-variables.ts';
import { loadMailings, type Mailing } from './mailings-queries.ts';
import { pageOfRecipients } from '../audience/recipients-queries.ts';

/** The kind of audience of a broadcast to contacts. */
export const CONTACTS = 'broadcast';

/** A page is a step in the log of a broadcast. */
const PAGE = 500;

interface Loading {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  settings: Pick<Settings, 'dashboardUrl'>;
}

type Wanted = Parameters<Audience['loadRecipients']>[0];

/** The contacts of a broadcast, as the engine asks for them. Triggers of their tables tell it who leaves. */
export const contactAudience = (loading: Loading): Audience => ({
  kind: CONTACTS,
  page: pageOfRecipients,
  pageSize: PAGE,
  loadRecipients: (emails) => loadRecipients(loading, emails),
});

/** The personal parts of a claimed page: two statements, and a signed link each. A contact who has left is absent. */
async function loadRecipients(loading: Loading, emails: Wanted) {
  const mailings = new Map((await loadMailings(loading.db, emails)).map((one) => [one.contentId, one]));
  const wanted = emails.flatMap((email) => {
    const mailing = mailings.get(email.contentId);
    return mailing === undefined ? [] : [{ email, mailing }];
  });
  const staying = await listContactsWhoStay(
    loading.db,
    wanted.map(({ email, mailing }) => keyOf(email, mailing)),
  );
  const contacts = new Map(staying.map((contact) => [`${contact.workspaceId} ${contact.id}`, contact]));
  const loaded = await Promise.all(
    wanted.map(async ({ email, mailing }) => {
      const contact = contacts.get(`${email.workspaceId} ${email.subscriberId}`);
      if (contact === undefined) return [];
      // The email goes to the address that was chosen, whatever the contact has by now.
      const personal = await personalPart(loading, mailing, { ...contact, email: email.recipient });
      return [[email.emailId, personal] as const];
    }),
  );
  return new Map(loaded.flat());
}

const keyOf = ({ workspaceId, subscriberId: contactId }: Wanted[number], { audience }: Mailing): ContactKey => ({
  workspaceId,
  contactId,
  isNamed: audience.contactIds.includes(contactId),
  listIds: audience.listIds,
});

async function personalPart(
  { clock, secrets, settings }: Loading,
  { workspaceId, broadcastId, name, variables: shared }: Mailing,
  contact: Parameters<typeof contactVariables>[0] & { id: string },
) {
  const claims = { workspaceId, contactId: contact.id, broadcastId, email: contact.email };
  const token = await signContactLink(secrets, claims, clock.now());
  const url = contactLinkUrl(settings.dashboardUrl, token);
  const variables = contactVariables(contact, { unsubscribeUrl: url, preferencesUrl: url }, { name, shared });
  return { variables, headers: leavingHeaders(url) };
}
