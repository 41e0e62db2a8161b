import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { getSendOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { cancelSend, resumeSend } from '../../api/generated/sdk.gen.ts';
import type { EmailStatus, Send, SendEmailsDataItem } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { EMAIL_STATUSES } from '../../lib/mail/email-status.ts';
import type { ListState } from '../../lib/list-state.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { withQuery } from '../../lib/curl.ts';
import { answerWords } from '../../lib/mail/smtp-answer.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { SelectFilter } from '../../ui/list/filters.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { titleOf } from './email-title.ts';
import { SendProgress } from './SendProgress.tsx';
import { isWaiting, SEND_STATUSES, whyNotCancel, whyNotResume } from './send-state.ts';

const POLL_MS = 2_000;
const ROWS = 50;
const CHANGES = ['getSend', 'getBatch', 'listEmails', 'getEmail'];

const COLUMNS: readonly Column<SendEmailsDataItem>[] = [
  { id: 'to', header: 'To', cell: ({ to }) => to },
  {
    id: 'status',
    header: 'Status',
    width: '150px',
    cell: ({ status }) => <StatusBadge tone={EMAIL_STATUSES[status].tone}>{EMAIL_STATUSES[status].label}</StatusBadge>,
  },
  { id: 'error', header: 'Error', priority: 2, onPhone: true, cell: ({ error }) => answerWords(error) },
  {
    id: 'last',
    header: 'Last event',
    width: '120px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ lastEventAt }) => <RelativeTime at={lastEventAt} none="" inRow />,
  },
];

const STATUSES = Object.entries(EMAIL_STATUSES).map(([value, { label }]) => ({ value, label }));

/** One request to send: how far it is, what stops it, and each of its emails. */
export function SendPage() {
  const { id: jobId = '' }: { id?: string } = useParams({ strict: false });
  const [{ status, page = '1' }, setUrl] = useUrlState(['status', 'page']);
  const query = { ...(status === undefined ? {} : { status: status as EmailStatus }), page, limit: String(ROWS) };
  const read = useQuery({
    ...getSendOptions({ path: { jobId }, query }),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data.status) ? POLL_MS : false),
  });
  const send = read.data;
  const words = send && SEND_STATUSES[send.status];
  const list = listOf(send, read, {
    page: Number(page) || 1,
    go: (to) => setUrl({ page: to === 1 ? undefined : String(to) }, { push: true }),
  });
  return (
    <ListPage
      id="send"
      title="Emails of the send"
      heading={send?.subject == null ? 'Send' : titleOf({ subject: send.subject, source: null })}
      crumbs={[
        { label: 'Emails', href: pb.emails() },
        ...(send === undefined || send.batchId === null ? [] : [{ label: 'Batch', href: pb.batch(send.batchId) }]),
      ]}
      badge={words && <StatusBadge tone={words.tone}>{words.label}</StatusBadge>}
      description={
        send && (
          <>
            To {counted(send.progress.total, 'recipient')}, accepted <RelativeTime at={send.createdAt} />
            <CopyButton value={jobId} label="Copy the id of the send" />
          </>
        )
      }
      actions={send && <SendActions send={send} />}
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ to }) => to}
      rowHref={({ id }) => pb.email(id)}
      filters={
        <SelectFilter
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(next) => setUrl({ status: next, page: undefined })}
        />
      }
      onClearFilters={status === undefined ? undefined : () => setUrl({ status: undefined, page: undefined })}
      empty={null}
      call={{ method: 'GET', path: withQuery(`/v1/send/${jobId}`, { status }) }}
    >
      {send && <SendProgress send={send} />}
    </ListPage>
  );
}

interface Way {
  page: number;
  go: (page: number) => void;
}

function listOf(
  send: Send | undefined,
  read: { error: unknown; isPlaceholderData: boolean; refetch: () => unknown },
  { page, go }: Way,
): ListState<SendEmailsDataItem> {
  const emails = send?.emails;
  return {
    rows: emails?.data,
    error: read.error,
    isStale: read.isPlaceholderData,
    total: emails?.total,
    isEstimate: emails?.total_is_estimate ?? false,
    onNext: emails?.has_more === true ? () => go(page + 1) : undefined,
    onPrevious: page > 1 ? () => go(page - 1) : undefined,
    onFirst: page > 1 ? () => go(1) : undefined,
    refetch: () => void read.refetch(),
  };
}

function SendActions({ send }: { send: Send }) {
  const whyNot = useWhyNot('emails:send');
  const [asks, setAsks] = useState(false);
  const { queued } = send.progress;
  const cancel = useWrite({
    call: () => cancelSend({ path: { jobId: send.jobId }, throwOnError: true }),
    changes: CHANGES,
    onDone: ({ cancelled, alreadySent }) => {
      setAsks(false);
      toastDone(`${counted(cancelled, 'email')} will not be sent. ${formatCount(alreadySent)} had left.`);
    },
    onError: toastError,
  });
  const resume = useWrite({
    call: () => resumeSend({ path: { jobId: send.jobId }, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone('The send goes on.'),
    onError: toastError,
  });
  return (
    <>
      {send.status === 'paused' && (
        <ActionButton
          disabledReason={whyNot ?? whyNotResume(send)}
          loading={resume.isPending}
          onClick={() => resume.mutate(undefined)}
        >
          Resume
        </ActionButton>
      )}
      {isWaiting(send.status) && (
        <ActionButton variant="danger" disabledReason={whyNot ?? whyNotCancel(send)} onClick={() => setAsks(true)}>
          Cancel the rest
        </ActionButton>
      )}
      <ConfirmTyped
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => cancel.mutate(undefined)}
        loading={cancel.isPending}
        title="Cancel the rest of this send?"
        expected={formatCount(queued)}
        of="the number of emails that wait"
        confirm="Cancel the rest"
        danger
      >
        {counted(queued, 'email')} will not be sent. Emails that have left cannot be stopped.
      </ConfirmTyped>
    </>
  );
}
