import type { Audience } from '#features/outbox';
import { createRecipientLoader } from '../content/load-recipients.ts';
import { pageOfActiveSubscribers } from './queries.ts';

/** The kind of audience of a send to a newsletter. */
export const SUBSCRIBERS = 'newsletter';

/** The active subscribers of a newsletter, as the engine asks for them. Triggers of the table tell it who leaves. */
export const subscriberAudience = (loading: Parameters<typeof createRecipientLoader>[0]): Audience => ({
  kind: SUBSCRIBERS,
  page: pageOfActiveSubscribers,
  loadRecipients: createRecipientLoader(loading),
});
