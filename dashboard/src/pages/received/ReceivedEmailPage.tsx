import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { getInboundEmailOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { getInboundEmailRaw } from '../../api/generated/sdk.gen.ts';
import type { InboundEmail } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { download } from '../../lib/files/download.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { lazyTab } from '../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { MessageTab } from './MessageTab.tsx';
import { noteOf, shown, whyNoAnswer } from './received-words.ts';

const ConversationTab = lazyTab('conversation', () =>
  import('./ConversationTab.tsx').then((file) => file.ConversationTab),
);
const SenderTab = lazyTab('sender', () => import('./SenderTab.tsx').then((file) => file.SenderTab));
const ForwardingTab = lazyTab('forwarding', () => import('./ForwardingTab.tsx').then((file) => file.ForwardingTab));
const ReplyDialog = lazyDialog(() => import('./ReplyDialog.tsx').then((file) => file.ReplyDialog));

const POLL_MS = 2_000;
const CRUMBS = [{ label: 'Received mail', href: pb.received() }];

const isMoving = (mail: InboundEmail | undefined): boolean =>
  mail !== undefined && (mail.status === 'waiting' || mail.forward?.status === 'pending');

/** One received message: its words, its sender, its conversation, and the answer to it. */
export function ReceivedEmailPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const [{ tab, reply }, setUrl] = useUrlState(['tab', 'reply', 'view']);
  const [answer, setAnswer] = useState<string>();
  const roleReason = useWhyNot('emails:send');
  const {
    data: mail,
    error,
    refetch,
  } = useQuery({
    ...getInboundEmailOptions({ path: { id } }),
    refetchInterval: ({ state }) => isMoving(state.data) && POLL_MS,
  });
  const note = mail && noteOf(mail);
  const whyNot = roleReason ?? (mail && whyNoAnswer(mail));
  const tabs = mail && [
    { id: 'message', label: 'Message', content: () => <MessageTab mail={mail} /> },
    { id: 'conversation', label: 'Conversation', content: () => <ConversationTab mail={mail} /> },
    { id: 'sender', label: 'Sender', content: () => <SenderTab mail={mail} /> },
    { id: 'forwarding', label: 'Forwarding', content: () => <ForwardingTab mail={mail} /> },
    { id: 'data', label: 'Data', content: () => <JsonView value={mail} label="the message as the API gives it" /> },
  ];
  return (
    <>
      <RecordPage
        title={mail && shown(mail.subject)}
        crumbs={CRUMBS}
        badge={note && <StatusBadge tone={note.tone}>{note.label}</StatusBadge>}
        actions={
          mail && (
            <>
              <CurlButton call={{ method: 'GET', path: `/v1/inbound/${id}` }} />
              <ActionButton variant="default" onClick={() => void downloadMail(mail)}>
                Download
              </ActionButton>
              <ActionButton disabledReason={whyNot} onClick={() => setUrl({ reply: '1' }, { push: true })}>
                Reply
              </ActionButton>
            </>
          )
        }
        notice={noticeOf(mail, answer)}
        {...(tabs === undefined ? {} : { tabs })}
        tab={tab}
        onTab={(next) => setUrl({ tab: next, view: undefined })}
        error={error}
        onRetry={() => void refetch()}
      />
      {mail !== undefined && (
        <ReplyDialog
          opened={reply !== undefined && whyNot === undefined}
          mail={mail}
          onClose={() => setUrl({ reply: undefined })}
          onSent={(emailId) => {
            setAnswer(emailId);
            setUrl({ reply: undefined });
          }}
        />
      )}
    </>
  );
}

function noticeOf(mail: InboundEmail | undefined, answer: string | undefined) {
  if (answer !== undefined) {
    return (
      <div role="status">
        <Notice tone="ok">
          Your answer is accepted. <a href={pb.email(answer)}>See what becomes of it</a>
        </Notice>
      </div>
    );
  }
  if (mail === undefined) return undefined;
  if (mail.parse_error !== null) {
    return (
      <Notice tone="warn">
        The parts of this message could not be read: {mail.parse_error} Its source is kept as it came.
      </Notice>
    );
  }
  return mail.auto_submitted ? (
    <Notice tone="info">
      A program wrote this message: an automatic answer, a report or a list. It cannot be answered here.
    </Notice>
  ) : undefined;
}

async function downloadMail({ id }: InboundEmail): Promise<void> {
  try {
    const { data } = await getInboundEmailRaw({ path: { id }, parseAs: 'blob', throwOnError: true });
    const file = data as unknown as Blob; // read as a blob, whatever the description says
    download(`${id}.eml`, file.type, file);
  } catch (error) {
    toastError(error);
  }
}
