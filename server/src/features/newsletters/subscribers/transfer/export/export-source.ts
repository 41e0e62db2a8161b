import { type Static, Type } from 'typebox';
import type { ExportSource } from '#features/transfers';
import { mayUseNewsletter } from '#features/workspaces';
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

const STATUSES = ['pending', 'active', 'unsubscribed'] as const;

const Asked = Type.Object(
  {
    newsletter_id: Type.String(),
    status: Type.Optional(Type.Enum([...STATUSES], { description: 'Only these.', examples: ['active'] })),
  },
  { additionalProperties: false },
);
const Shown = Type.Object(
  { newsletter_id: Type.String({ format: 'uuid' }), status: Type.Optional(Type.Enum([...STATUSES])) },
  { title: 'SubscribersExportFilters', additionalProperties: false },
);

const filters: ExportSource['filters'] = {
  asked: Asked,
  shown: Shown,
  example: { newsletter_id: '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11' },
  read(asked) {
    const { newsletter_id: targetId, status = null } = asked as Static<typeof Asked>; // checked by it
    return { targetId, filters: { status } };
  },
  show: (newsletterId, { status = null }) => ({
    newsletter_id: newsletterId,
    ...(status === null ? {} : { status }),
  }),
};

/** The subscribers of a newsletter, as a file has them. */
export const subscriberExports: ExportSource = {
  resource: 'subscribers',
  filters,
  columns: COLUMNS,
  authorise: async (ctx, newsletterId) => void (await getNewsletter(ctx, newsletterId)),
  maySee: mayUseNewsletter,
  page: (db, { workspaceId, targetId, filters: { status = null } }, asked) =>
    pageByAddress(db, workspaceId, { newsletterId: targetId, status, ...asked }),
};
