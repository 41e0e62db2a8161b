import type { ExportSource } from '#features/transfers';
import { getNewsletter } from '../../../get-newsletter.ts';
import { pageByAddress } from './page-by-address-queries.ts';

/** In the order of the file. Texts, and what is JSON already and is written as it is. */
const COLUMNS = {
  email: 'text',
  name: 'text',
  status: 'text',
  source: 'text',
  metadata: 'json',
  created_at: 'text',
  confirmed_at: 'text',
  unsubscribed_at: 'text',
  unsubscribe_reason: 'text',
  confirmation_sent_at: 'text',
  confirmation_count: 'json',
  last_opened_at: 'text',
  last_clicked_at: 'text',
  consent: 'json',
} as const satisfies ExportSource['columns'];
/** The subscribers of a newsletter, as a file has them. */
export const subscriberExports: ExportSource = {
  resource: 'subscribers',
  columns: COLUMNS,
  authorise: async (ctx, newsletterId) => void (await getNewsletter(ctx, newsletterId)),
  page: (db, { workspaceId, targetId, filters: { status } }, asked) =>
    pageByAddress(db, workspaceId, { newsletterId: targetId, status, ...asked }),
};
