import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { getCapturedEmailOptions, getEmailOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { getCapturedEmailRaw } from '../../api/generated/sdk.gen.ts';
import type { CapturedEmail } from '../../api/generated/types.gen.ts';
import { EMAIL_STATUSES } from '../../lib/mail/email-status.ts';
import { formatBytes } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { download } from '../../lib/files/download.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { MessageTabs } from './MessageTabs.tsx';
import classes from './outbox.module.css';
import { Simulate } from './Simulate.tsx';

const POLL_MS = 2_000;

/** One captured message: who, what became of it, and its parts. */
export function CapturedMessage({ id, backHref }: { id: string; backHref: string }) {
  const {
    data: message,
    error,
    refetch,
  } = useQuery({
    ...getCapturedEmailOptions({ path: { id } }),
    staleTime: 1_800_000, // The message never changes, and its link for the frame is good for an hour.
  });
  const title = message === undefined ? undefined : message.subject === '' ? '(no subject)' : message.subject;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Outbox · Posthorn`;
  }, [title]);
  return (
    <article aria-busy={message === undefined && error === null} aria-label="Message">
      <a href={backHref} className={classes['back']}>
        <ArrowLeft size={15} aria-hidden="true" /> All captured mail
      </a>
      <div className={classes['messageHead']}>
        <h1 className={classes['title']} tabIndex={-1} data-page-title>
          {title ?? (error === null ? 'Loading …' : 'Not available')}
        </h1>
        {message !== undefined && <Actions message={message} />}
      </div>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {message === undefined && error === null && <Skeleton height={12} width="50%" radius="xl" />}
      {message !== undefined && (
        <>
          <Envelope message={message} />
          <MessageTabs message={message} />
        </>
      )}
    </article>
  );
}

function Actions({ message }: { message: CapturedEmail }) {
  const downloadMessage = async () => {
    try {
      const { data } = await getCapturedEmailRaw({ path: { id: message.id }, parseAs: 'blob', throwOnError: true });
      const file = data as unknown as Blob; // read as a blob, whatever the description says
      download(`${message.id}.eml`, file.type, file);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <div className={classes['actions']}>
      <CurlButton call={{ method: 'GET', path: `/v1/captured-emails/${message.id}` }} />
      <ActionButton variant="default" onClick={() => void downloadMessage()}>
        Download
      </ActionButton>
      <Simulate message={message} />
    </div>
  );
}

function Envelope({ message }: { message: CapturedEmail }) {
  return (
    <dl className={classes['envelope']}>
      <dt>From</dt>
      <dd>
        <Sender message={message} /> <CopyButton value={message.from} label="Copy the sender" />
      </dd>
      <dt>To</dt>
      <dd>
        {message.to.map((address) => (
          <span key={address}>
            {address}
            <CopyButton value={address} label={`Copy ${address}`} />
          </span>
        ))}
      </dd>
      <dt>Captured</dt>
      <dd>
        <RelativeTime at={message.captured_at} />
        <span className={classes['size']}>{formatBytes(message.size)}</span>
      </dd>
      <dt>State</dt>
      <dd>
        <State emailId={message.email_id} />
      </dd>
    </dl>
  );
}

/** As the email has it: a header holds a name that is not ASCII as an encoded word (RFC 2047). */
function Sender({ message }: { message: CapturedEmail }) {
  const { data: email } = useQuery({ ...getEmailOptions({ path: { id: message.email_id } }), retry: false });
  return email?.from ?? headerOf(message, 'from') ?? message.from;
}

const headerOf = ({ headers }: CapturedEmail, name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;

/** The state of the email, which simulated events change. */
function State({ emailId }: { emailId: string }) {
  const { data: email, error } = useQuery({
    ...getEmailOptions({ path: { id: emailId } }),
    refetchInterval: POLL_MS, // a simulated event is applied a moment after it was asked for
    retry: false,
  });
  if (error !== null) return <span className={classes['size']}>The email itself is no longer kept.</span>;
  if (email === undefined) return <Skeleton height={10} width={120} radius="xl" />;
  const { label, tone } = EMAIL_STATUSES[email.status];
  return (
    <>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <a href={pb.email(emailId)} className={classes['record']}>
        Time line and record
      </a>
    </>
  );
}
