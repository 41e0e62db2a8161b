import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getEmailContentOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { getEmailAttachment } from '../../../api/generated/sdk.gen.ts';
import type { Email, EmailContent } from '../../../api/generated/types.gen.ts';
import { isInlinePicture, readPictures } from '../../../lib/files/inline-pictures.ts';
import { withPictures } from '../../../lib/mail/mail-html.ts';
import { download } from '../../../lib/files/download.ts';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FilePart, HeaderPart, type MessageFile, TextPart } from '../../../ui/mail-message/MessageParts.tsx';
import { MessageViews } from '../../../ui/mail-message/MessageViews.tsx';
import { MailPreview } from '../../../ui/mail-preview/MailPreview.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { EmailSource } from './EmailSource.tsx';
import { storedHeaders } from './stored-headers.ts';

/** The content as the recipient gets it: rendered, as text, as html, its headers and files. */
export function EmailContentTab({ email }: { email: Email }) {
  const {
    data: content,
    error,
    refetch,
  } = useQuery({
    ...getEmailContentOptions({ path: { id: email.id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (content === undefined) return <Skeleton height={240} />;
  const html = content.html;
  const isGivenWhole = email.source === 'relay' || content.attachments.some(({ id }) => id === null);
  const views = [
    ...(html === null
      ? []
      : [
          { value: 'preview', label: 'Preview', show: () => <Rendered content={content} html={html} /> },
          { value: 'html', label: 'HTML', show: () => <CodeBlock code={html} label="the html" wrap /> },
        ]),
    { value: 'text', label: 'Text', show: () => <TextPart text={content.text} /> },
    {
      value: 'headers',
      label: 'Headers',
      show: () => <HeaderPart headers={storedHeaders(email, content)} />,
    },
    {
      value: 'files',
      label: `Attachments ${content.attachments.length}`,
      show: () => <FilePart files={content.attachments.map(fileOf)} onDownload={(file) => void save(email.id, file)} />,
    },
    {
      value: 'source',
      label: 'Source',
      show: () => <EmailSource email={email} isGivenWhole={isGivenWhole} />,
    },
  ];
  return <MessageViews views={views} label="Part of the content" />;
}

function Rendered({ content, html }: { content: EmailContent; html: string }) {
  const [view, setView] = usePreviewView();
  const inline = content.attachments.filter(isInlinePicture);
  const { data: pictures } = useQuery({
    queryKey: [{ _id: 'inlinePictures' }, content.id],
    queryFn: () => readPictures(inline, (fileId) => readFile(content.id, fileId)),
    enabled: inline.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <MailPreview
      html={pictures === undefined ? html : withPictures(html, pictures)}
      label={`The email “${content.subject}”`}
      view={view}
      onViewChange={setView}
    />
  );
}

async function readFile(id: string, attachmentId: string): Promise<Blob> {
  const { data } = await getEmailAttachment({ path: { id, attachmentId }, parseAs: 'blob', throwOnError: true });
  return data as unknown as Blob; // read as a blob, whatever the description says
}

const fileOf = (file: EmailContent['attachments'][number]): MessageFile => ({
  id: file.id,
  name: file.filename,
  type: file.content_type,
  size: file.size,
  isInline: file.disposition === 'inline',
});

async function save(emailId: string, { id, name }: MessageFile): Promise<void> {
  if (id === null) return;
  try {
    const file = await readFile(emailId, id);
    download(name, file.type, file);
  } catch (error) {
    toastError(error);
  }
}
