import { listMailedSubscribers, type Signing, waysOutOfNewsletter } from '#features/newsletters';
import type { Audience } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { subscriberVariables } from '../content/subscriber-variables.ts';
import { loadMailings } from './mailings-queries.ts';
import { pageOfSubscribers } from '../audience/recipients-queries.ts';

/** The kind of audience of a broadcast to a newsletter. */
export const SUBSCRIBERS = 'broadcast_subscribers';

/** A page is a step in the log of a broadcast. */
const PAGE = 500;

type Wanted = Parameters<Audience['loadRecipients']>[0];
type Loading = Signing & { db: Db };

/**
 * The subscribers of a newsletter who get a broadcast. Its send has the newsletter as its audience, so that the
 * triggers on subscribers tell the engine who leaves, as they do for issues.
 */
export const subscriberAudience = (loading: Loading): Audience => ({
  kind: SUBSCRIBERS,
  page: pageOfSubscribers,
  pageSize: PAGE,
  loadRecipients: (emails) => loadRecipients(loading, emails),
});

/** The personal parts of a claimed page: two statements, and two signed links each. One who is not active is absent. */
async function loadRecipients(loading: Loading, emails: Wanted) {
  const mailings = new Map((await loadMailings(loading.db, emails)).map((one) => [one.contentId, one]));
  const active = await listMailedSubscribers(loading.db, emails);
  const subscribers = new Map(active.map((one) => [`${one.workspaceId} ${one.id}`, one]));
  const loaded = await Promise.all(
    emails.map(async ({ emailId, workspaceId, subscriberId, contentId, recipient }) => {
      const mailing = mailings.get(contentId);
      const subscriber = subscribers.get(`${workspaceId} ${subscriberId}`);
      if (mailing === undefined || subscriber === undefined) return [];
      const { newsletterId, newsletterName } = subscriber;
      const to = { email: recipient, workspaceId, newsletterId, subscriberId, mailingId: mailing.broadcastId };
      const { links, headers } = await waysOutOfNewsletter(loading, to);
      // The email goes to the address that was chosen, whatever the subscriber has by now.
      const reader = { email: recipient, name: subscriber.name, metadata: subscriber.metadata };
      const { name, variables: shared } = mailing;
      const variables = subscriberVariables(reader, links, { name, shared, newsletterName });
      return [[emailId, { variables, headers }] as const];
    }),
  );
  return new Map(loaded.flat());
}
