import { useRouter } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useEffect } from 'react';
import { listEmailsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { EmailSummary } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { EMAIL_STATUSES } from '../../lib/mail/email-status.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { titleOf } from './email-title.ts';
import { EmailFilters } from './EmailFilters.tsx';
import { FILTERS, queryOf } from './email-filters.ts';
import { readSearch } from './email-search.ts';
import { SOURCES } from '../../lib/mail/sources.ts';

const POLL_MS = 6_000;

const COLUMNS: readonly Column<EmailSummary>[] = [
  { id: 'to', header: 'To', cell: (email) => recipientsOf(email) },
  {
    id: 'status',
    header: 'Status',
    width: '132px',
    cell: ({ status }) => <StatusBadge tone={EMAIL_STATUSES[status].tone}>{EMAIL_STATUSES[status].label}</StatusBadge>,
  },
  {
    id: 'subject',
    header: 'Subject',
    width: '40%',
    priority: 2,
    onPhone: true,
    cell: titleOf,
  },
  {
    id: 'from',
    header: 'From',
    width: '20%',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ from }) => from,
  },
  {
    id: 'source',
    header: 'Source',
    width: '120px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ source }) => (source === null ? '' : SOURCES[source]),
  },
  {
    id: 'opens',
    header: 'Opens',
    width: '76px',
    align: 'right',
    priority: 3,
    onPhone: ({ open_count }) => counted(open_count, 'open'),
    optional: 'hidden',
    cell: ({ open_count }) => formatCount(open_count),
  },
  {
    id: 'clicks',
    header: 'Clicks',
    width: '76px',
    align: 'right',
    priority: 3,
    onPhone: ({ click_count }) => counted(click_count, 'click'),
    optional: 'hidden',
    cell: ({ click_count }) => formatCount(click_count),
  },
  {
    id: 'created',
    header: 'Accepted',
    width: '104px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const recipientsOf = ({ to, cc, bcc }: EmailSummary): string => {
  const others = to.length + cc.length + bcc.length - 1;
  return others > 0 ? `${to[0] ?? cc[0] ?? bcc[0]} and ${formatCount(others)} more` : (to[0] ?? cc[0] ?? bcc[0] ?? '');
};

/** The log of emails, with every filter of the API in the address. */
export function EmailsPage() {
  const router = useRouter();
  const [{ after: _after, ...state }, setUrl] = useUrlState([...FILTERS, 'search', 'after']);
  const query = queryOf(state, useNow());
  const found = readSearch(state.search);
  const list = useList((page) => listEmailsOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const whyNot = useWhyNot('emails:send');
  const openId = found.kind === 'id' ? found.id : undefined;
  useEffect(() => {
    if (openId !== undefined) router.history.replace(pb.email(openId));
  }, [openId, router]);
  const clear = Object.fromEntries([...FILTERS, 'search', 'after'].map((name) => [name, undefined]));
  const compose = (
    <ActionButton href={pb.compose()} disabledReason={whyNot}>
      Send a test email
    </ActionButton>
  );
  return (
    <ListPage
      id="emails"
      title="Emails"
      actions={compose}
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={titleOf}
      rowHref={({ id }) => pb.email(id)}
      filters={<EmailFilters state={state} onChange={(change) => setUrl({ ...change, after: undefined })} />}
      onClearFilters={Object.keys(state).length === 0 ? undefined : () => setUrl(clear)}
      noMatchHint={
        found.kind === 'filter' && found.filter.subject !== undefined
          ? 'These words were looked for in subjects. To find a recipient, type the whole address, or @example.com for all at a domain.'
          : undefined
      }
      empty={
        <EmptyState icon={<Send size={20} />} title="No email was sent yet" action={compose}>
          Every email that Posthorn accepts is here, with what became of it. Send one by the API or from this page.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery('/v1/emails', query as Record<string, string>) }}
    />
  );
}
