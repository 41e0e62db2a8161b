import { useQuery } from '@tanstack/react-query';
import { MailOpen, X } from 'lucide-react';
import { listDomainsOptions, listInboundEmailsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { InboundEmailSummary } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { noteOf, shown } from './received-words.ts';

const POLL_MS = 5_000;
const FILTERS = ['domain_id', 'thread_id', 'from'] as const;

const COLUMNS: readonly Column<InboundEmailSummary>[] = [
  {
    id: 'from',
    header: 'From',
    width: 'max(22%, 124px)',
    cell: ({ from, envelope }) => from?.name ?? from?.email ?? (envelope.from === '' ? '(nobody)' : envelope.from),
  },
  { id: 'subject', header: 'Subject', cell: ({ subject }) => shown(subject) },
  { id: 'to', header: 'To', width: '20%', priority: 3, onPhone: true, cell: ({ envelope }) => envelope.to.join(', ') },
  {
    id: 'note',
    header: 'Note',
    width: '128px',
    priority: 2,
    onPhone: true,
    cell: (mail) => {
      const note = noteOf(mail);
      return note && <StatusBadge tone={note.tone}>{note.label}</StatusBadge>;
    },
  },
  {
    id: 'files',
    header: 'Files',
    width: '64px',
    align: 'right',
    priority: 3,
    cell: ({ attachments }) => (attachments === 0 ? '' : formatCount(attachments)),
  },
  {
    id: 'received',
    header: 'Received',
    width: '104px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ received_at }) => <RelativeTime at={received_at} inRow />,
  },
];

/** Mail that has arrived for the domains of the workspace, newest first. */
export function ReceivedPage() {
  const { workspace } = useSession();
  const [{ after: _after, ...query }, setUrl] = useUrlState([...FILTERS, 'after']);
  const { data: domains } = useQuery({ ...listDomainsOptions(), enabled: workspace?.edition !== 'self-hosted' });
  const list = useList((page) => listInboundEmailsOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const change = (next: Partial<Record<(typeof FILTERS)[number], string | undefined>>) =>
    setUrl({ ...next, after: undefined });
  return (
    <ListPage
      id="received"
      title="Received mail"
      description="Mail to the domains that receive. It is kept as it came."
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ subject }) => shown(subject)}
      rowHref={({ id }) => pb.receivedEmail(id)}
      filters={
        <>
          <SearchFilter label="Whole address of the sender" value={query.from} onChange={(from) => change({ from })} />
          <SelectFilter
            label="Domain"
            value={query.domain_id}
            options={(domains?.data ?? []).map(({ id, domain }) => ({ value: id, label: domain }))}
            onChange={(domain_id) => change({ domain_id })}
          />
          {query.thread_id !== undefined && (
            <ActionButton
              variant="default"
              size="xs"
              rightSection={<X size={12} aria-label="Take this filter away" />}
              onClick={() => change({ thread_id: undefined })}
            >
              One conversation
            </ActionButton>
          )}
        </>
      }
      onClearFilters={
        Object.keys(query).length === 0
          ? undefined
          : () => change({ domain_id: undefined, thread_id: undefined, from: undefined })
      }
      empty={
        <EmptyState
          icon={<MailOpen size={20} />}
          title="No mail was received yet"
          action={<ActionButton href={pb.domains()}>Open the domains</ActionButton>}
        >
          A domain receives when you turn it on, in the tab “Receiving” of its page, and publish its MX record.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery('/v1/inbound', query) }}
    />
  );
}
