import { useParams, useRouter } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { listCapturedEmailsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { useKeys } from '../../lib/shortcuts.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CapturedList } from './CapturedList.tsx';
import { CapturedMessage } from './CapturedMessage.tsx';
import classes from './outbox.module.css';

const POLL_MS = 4_000;

/** Captured mail as a mail program shows it: the list, and beside it (on a phone in its place) one message. */
export function OutboxPage() {
  const { id }: { id?: string } = useParams({ strict: false });
  const router = useRouter();
  const [{ search, after }, setUrl] = useUrlState(['search', 'after']);
  const list = useList(
    (page) => listCapturedEmailsOptions({ query: { ...page, ...(search === undefined ? {} : { search }) } }),
    { pollMs: POLL_MS },
  );
  // The place in the list stays in the address of each message.
  const hrefOf = (to: string | undefined) =>
    withQuery(to === undefined ? pb.outbox() : pb.outboxEmail(to), { search, after });
  const rows = list.rows ?? [];
  const step = (by: number) => {
    const at = rows.findIndex((row) => row.id === id);
    const next = rows[at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by];
    if (next !== undefined) router.history.push(hrefOf(next.id));
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    Escape: () => id !== undefined && router.history.push(hrefOf(undefined)),
  });
  const isEmpty =
    rows.length === 0 && list.rows !== undefined && search === undefined && after === undefined && id === undefined;
  if (isEmpty) return <NothingCaptured />;
  return (
    <div className={classes['outbox']} data-open={id !== undefined || undefined}>
      <CapturedList
        list={list}
        openId={id}
        search={search}
        onSearch={(next) => setUrl({ search: next, after: undefined })}
        hrefOf={hrefOf}
        call={{ method: 'GET', path: withQuery('/v1/captured-emails', { search }) }}
      />
      <div className={classes['reading']}>
        {id === undefined ? (
          <EmptyState icon={<Inbox size={20} />} title="No message is open">
            Choose one of the list. <kbd>j</kbd> and <kbd>k</kbd> open the next and the previous one.
          </EmptyState>
        ) : (
          <CapturedMessage key={id} id={id} backHref={hrefOf(undefined)} />
        )}
      </div>
    </div>
  );
}

function NothingCaptured() {
  return (
    <>
      <PageHeader title="Outbox" />
      <EmptyState
        icon={<Inbox size={20} />}
        title="No mail was captured yet"
        action={<ActionButton href={pb.compose()}>Send a test email</ActionButton>}
      >
        While Posthorn has no provider, it keeps every email here in place of sending it. With a provider, the emails of
        test keys and of the sandbox come here.
      </EmptyState>
    </>
  );
}
