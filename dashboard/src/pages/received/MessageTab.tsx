import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getInboundEmailRawOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { getInboundAttachment } from '../../api/generated/sdk.gen.ts';
import type { InboundEmail } from '../../api/generated/types.gen.ts';
import { isInlinePicture, readPictures } from '../../lib/files/inline-pictures.ts';
import { withPictures } from '../../lib/mail/mail-html.ts';
import { download } from '../../lib/files/download.ts';
import { usePreviewView } from '../../lib/use-preview-view.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FilePart, HeaderPart, type MessageFile, TextPart } from '../../ui/mail-message/MessageParts.tsx';
import { MessageViews } from '../../ui/mail-message/MessageViews.tsx';
import { MailPreview } from '../../ui/mail-preview/MailPreview.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { detailsOf, envelopeOf } from './received-properties.tsx';
import classes from './received.module.css';
import { shown } from './received-words.ts';

/** More of it is a file to download, not a page to read. */
const SOURCE_BYTES_MAX = 1_000_000;

/** A message between what a reader asks for first and the rest of its fields; the open part is in the address. */
export function MessageTab({ mail }: { mail: InboundEmail }) {
  const { html } = mail;
  const views = [
    ...(html === null
      ? []
      : [
          { value: 'preview', label: 'Preview', show: () => <Rendered mail={mail} html={html} /> },
          { value: 'html', label: 'HTML', show: () => <CodeBlock code={html} label="the html" wrap /> },
        ]),
    { value: 'text', label: 'Text', show: () => <TextPart text={mail.text} /> },
    { value: 'headers', label: 'Headers', show: () => <HeaderPart headers={mail.headers} /> },
    {
      value: 'files',
      label: `Attachments ${mail.attachments.length}`,
      show: () => <FilePart files={mail.attachments.map(fileOf)} onDownload={(file) => void save(mail.id, file)} />,
    },
    { value: 'source', label: 'Source', show: () => <Source mail={mail} /> },
  ];
  return (
    <>
      <Properties items={envelopeOf(mail)} />
      <div className={classes['message']}>
        <MessageViews views={views} label="Part of the message" />
      </div>
      <div className={classes['details']}>
        <Properties items={detailsOf(mail)} />
      </div>
    </>
  );
}

function Rendered({ mail, html }: { mail: InboundEmail; html: string }) {
  const [view, setView] = usePreviewView();
  const inline = mail.attachments.filter(isInlinePicture);
  const { data: pictures } = useQuery({
    queryKey: [{ _id: 'inboundPictures' }, mail.id],
    queryFn: () => readPictures(inline, (fileId) => readFile(mail.id, fileId)),
    enabled: inline.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <MailPreview
      html={pictures === undefined ? html : withPictures(html, pictures)}
      label={`The message “${shown(mail.subject)}”`}
      view={view}
      onViewChange={setView}
    />
  );
}

const fileOf = (file: InboundEmail['attachments'][number]): MessageFile => ({
  id: file.id,
  name: file.filename,
  type: file.content_type,
  size: file.size,
  isInline: file.disposition === 'inline',
});

async function readFile(id: string, attachmentId: string): Promise<Blob> {
  const { data } = await getInboundAttachment({ path: { id, attachmentId }, parseAs: 'blob', throwOnError: true });
  return data as unknown as Blob; // read as a blob, whatever the description says
}

async function save(mailId: string, { id, name }: MessageFile): Promise<void> {
  if (id === null) return;
  try {
    const file = await readFile(mailId, id);
    download(name, file.type, file);
  } catch (error) {
    toastError(error);
  }
}

function Source({ mail: { id, size } }: { mail: InboundEmail }) {
  const isLarge = size > SOURCE_BYTES_MAX;
  const { data, error, refetch } = useQuery({
    ...getInboundEmailRawOptions({ path: { id }, parseAs: 'text' }),
    enabled: !isLarge,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isLarge) {
    return <p className={classes['quiet']}>The message is too large to be shown here. Download it instead.</p>;
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  return <CodeBlock code={String(data)} label="the source of the message" />;
}
