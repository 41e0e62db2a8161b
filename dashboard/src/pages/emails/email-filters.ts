import type { ListEmailsData } from '../../api/generated/types.gen.ts';
import { readSearch } from './email-search.ts';

type Query = NonNullable<ListEmailsData['query']>;

/** Filters of the log with the names that the API gives them, so that a link of another page can set any. */
export const FILTERS = [
  'status', 'source', 'since', 'until', 'from', 'tag', 'api_key_id', 'template_id', 'domain_id', 'newsletter_id',
  'issue_id', 'broadcast_id', 'counted', 'counted_since', 'counted_until', 'mailbox_provider', 'to', 'subject',
  'provider_message_id', 'metadata',
] as const; // biome-ignore format: a list of words
export type FilterName = (typeof FILTERS)[number];

/** The filters that have no field of their own in the bar: they are shown as labels to take away. */
export const LABELS: Readonly<Partial<Record<FilterName, string>>> = {
  to: 'To',
  subject: 'Subject',
  provider_message_id: 'Id of the provider',
  from: 'From',
  source: 'Source',
  tag: 'Tag',
  metadata: 'Metadata',
  api_key_id: 'API key',
  template_id: 'Template',
  domain_id: 'Domain',
  newsletter_id: 'Newsletter',
  issue_id: 'Issue',
  broadcast_id: 'Broadcast',
  counted: 'Counted as',
  mailbox_provider: 'Mailbox at',
};

/** The filters whose value is the id of a record, and which are shown by its name. */
const RECORD_FILTERS = [
  'api_key_id', 'newsletter_id', 'issue_id', 'broadcast_id', 'template_id', 'domain_id',
] as const; // biome-ignore format: a list of words
export type RecordFilter = (typeof RECORD_FILTERS)[number];

export const isRecordFilter = (name: string): name is RecordFilter => RECORD_FILTERS.some((filter) => filter === name);

const DAY_MS = 86_400_000;
const DOMAIN_DAYS = 30;

/**
 * The query of the API. A domain is looked for in a span of time; without one it is the last 30 days, counted from
 * `today`, so that the same page asks the same question all day.
 */
export function queryOf(state: Readonly<Partial<Record<FilterName | 'search', string>>>, now: number): Query {
  const { search, ...filters } = state;
  const found = readSearch(search);
  const query = { ...filters, ...(found.kind === 'filter' ? found.filter : {}) };
  const hasDomain = query.to?.startsWith('@') === true || query.from?.startsWith('@') === true;
  if (hasDomain && query.since === undefined) {
    const end = query.until === undefined ? Math.ceil(now / DAY_MS) * DAY_MS : Date.parse(query.until);
    query.since = new Date(end - DOMAIN_DAYS * DAY_MS).toISOString();
    query.until = new Date(end).toISOString();
  }
  return query as Query; // a value that the API does not know is refused in words
}
