import { Skeleton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import {
  getEmailContentOptions,
  getEmailOptions,
  getInboundEmailOptions,
  listInboundEmailsOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import type { EmailContent, InboundEmail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './received.module.css';
import { clipped, shown } from './received-words.ts';

/** The page shows the newest of a conversation; the list of received mail has all of it. */
const MESSAGES_MAX = 10;

interface Part {
  id: string;
  at: string;
  who: string;
  subject: string;
  href: string;
  isOurs: boolean;
  text: string | null;
  isOpen: boolean;
}

/** The mail of one conversation, oldest first: what came, the emails of yours that it answers, and your answers. */
export function ConversationTab({ mail }: { mail: InboundEmail }) {
  const thread = mail.thread_id ?? undefined;
  const { data, error, refetch } = useQuery({
    ...listInboundEmailsOptions({ query: { thread_id: thread ?? '', limit: String(MESSAGES_MAX) } }),
    enabled: thread !== undefined,
  });
  const ids = [...new Set([mail.id, ...(data?.data ?? []).map(({ id }) => id)])];
  const came = useQueries({ queries: ids.map((id) => getInboundEmailOptions({ path: { id } })) }).flatMap(
    ({ data: one }) => (one === undefined ? [] : [one]),
  );
  const answered = [
    ...new Set(
      came.flatMap(({ in_reply_to_email_id: id, reply_email_ids: replies }) => [
        ...(id === null ? [] : [id]),
        ...replies,
      ]),
    ),
  ];
  const ours = useQueries({
    queries: answered.map((id) => ({ ...getEmailOptions({ path: { id } }), retry: false })),
  }).flatMap(({ data: one }) => (one === undefined ? [] : [one]));
  const texts = useQueries({
    queries: ours.map(({ id }) => ({
      ...getEmailContentOptions({ path: { id } }),
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (thread !== undefined && data === undefined) return <Skeleton height={160} />;
  const parts: Part[] = [
    ...came.map((one) => partOf(one, one.id === mail.id)),
    ...ours.map((email, index) => ({
      id: email.id,
      at: email.created_at,
      who: email.from,
      subject: shown(email.subject),
      href: pb.email(email.id),
      isOurs: true,
      text: textOf(texts[index]?.data),
      isOpen: false,
    })),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <>
      <ol className={classes['conversation']} aria-label="Conversation">
        {parts.map((part) => (
          <Message key={part.id} part={part} />
        ))}
      </ol>
      {data?.has_more === true && thread !== undefined && (
        <p className={classes['quiet']}>
          These are the newest. <a href={pb.receivedThread(thread)}>See all that came</a>
        </p>
      )}
    </>
  );
}

/** Of an email without a text, or whose content was deleted, the subject is enough. */
const textOf = (content: EmailContent | undefined): string | null =>
  content?.text == null ? null : clipped(content.text);

const partOf = (one: InboundEmail, isOpen: boolean): Part => ({
  id: one.id,
  at: one.received_at,
  who: one.from?.name ?? one.from?.email ?? 'Nobody',
  subject: shown(one.subject),
  href: pb.receivedEmail(one.id),
  isOurs: false,
  text: one.stripped_text ?? one.text,
  isOpen,
});

function Message({ part: { at, who, subject, href, isOurs, text, isOpen } }: { part: Part }) {
  return (
    <li data-ours={isOurs || undefined} aria-current={isOpen || undefined}>
      <div className={classes['who']}>
        <b>{who}</b>
        <span>
          {isOurs ? 'Sent' : 'Received'} <RelativeTime at={at} />
        </span>
      </div>
      {isOpen ? <span>{subject}</span> : <a href={href}>{subject}</a>}
      {text !== null && <pre>{text.trim()}</pre>}
    </li>
  );
}
