import { Button, Skeleton } from '@mantine/core';
import { ChevronLeft, ChevronRight, Paperclip } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { CapturedEmailSummary } from '../../api/generated/types.gen.ts';
import type { ApiCall } from '../../lib/curl.ts';
import type { ListState } from '../../lib/list-state.ts';
import { formatCount } from '../../lib/number.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SearchFilter } from '../../ui/list/SearchFilter.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './outbox.module.css';

interface Props {
  list: ListState<CapturedEmailSummary>;
  openId: string | undefined;
  search: string | undefined;
  onSearch: (text: string | undefined) => void;
  hrefOf: (id: string) => string;
  call: ApiCall;
}

export function CapturedList({ list, openId, search, onSearch, hrefOf, call }: Props) {
  const { rows, error } = list;
  const open = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // In braces: Chromium answers a promise, which React would take for the function that ends the effect.
    open.current?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  useEffect(() => {
    if (openId === undefined) document.title = 'Outbox · Posthorn';
  }, [openId]);
  // The open message has the title of the page; without one it is the list's.
  // Beside an open message, whose subject is the title of the page, it is the region that has the name.
  const Title = openId === undefined ? 'h1' : 'p';
  return (
    <section className={classes['list']} aria-label="Captured mail">
      <div className={classes['listHead']}>
        <div className={classes['listTitle']}>
          <Title {...(openId === undefined ? { tabIndex: -1, 'data-page-title': true } : {})}>Outbox</Title>
          {openId === undefined && <CurlButton call={call} />}
        </div>
        <SearchFilter label="Search subject, from and to" value={search} onChange={onSearch} />
      </div>
      {error !== null && <ErrorState error={error} onRetry={list.refetch} />}
      {rows === undefined && error === null && <Waiting />}
      <ul className={classes['mails']} data-stale={list.isStale || undefined} aria-busy={rows === undefined}>
        {rows?.map((row) => (
          <li key={row.id}>
            <a
              ref={row.id === openId ? open : undefined}
              href={hrefOf(row.id)}
              className={classes['mail']}
              aria-current={row.id === openId || undefined}
              data-row-link
            >
              <span className={classes['mailHead']}>
                <span className={classes['to']}>{recipientsOf(row)}</span>
                {row.attachment_count > 0 && <Paperclip size={13} aria-label="With attachments" />}
                <RelativeTime at={row.captured_at} inRow />
              </span>
              <span className={classes['subject']}>{row.subject === '' ? '(no subject)' : row.subject}</span>
            </a>
          </li>
        ))}
      </ul>
      {rows?.length === 0 && <p className={classes['nothing']}>No captured mail matches.</p>}
      <Pages list={list} />
    </section>
  );
}

const recipientsOf = ({ to }: CapturedEmailSummary): string =>
  to.length > 1 ? `${to[0]} and ${formatCount(to.length - 1)} more` : (to[0] ?? '(nobody)');

const Waiting = () => (
  <div className={classes['waiting']}>
    {[70, 52, 64, 46, 58].map((width) => (
      <Skeleton key={width} height={10} width={`${width}%`} radius="xl" />
    ))}
  </div>
);

function Pages({ list: { onNext, onPrevious, onFirst } }: { list: ListState<CapturedEmailSummary> }) {
  if (onNext === undefined && onPrevious === undefined && onFirst === undefined) return null;
  const back = onPrevious ?? onFirst;
  return (
    <nav className={classes['pages']} aria-label="Pages">
      <Button variant="default" size="xs" leftSection={<ChevronLeft size={14} />} disabled={!back} onClick={back}>
        Newer
      </Button>
      <Button variant="default" size="xs" rightSection={<ChevronRight size={14} />} disabled={!onNext} onClick={onNext}>
        Older
      </Button>
    </nav>
  );
}
