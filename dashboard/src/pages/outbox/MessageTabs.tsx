import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getCapturedEmailRawOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { getCapturedEmailAttachment } from '../../api/generated/sdk.gen.ts';
import type { CapturedEmail } from '../../api/generated/types.gen.ts';
import { download } from '../../lib/files/download.ts';
import { usePreviewView } from '../../lib/use-preview-view.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FilePart, HeaderPart, LinkPart, type MessageFile, TextPart } from '../../ui/mail-message/MessageParts.tsx';
import { MailPreview } from '../../ui/mail-preview/MailPreview.tsx';
import { toastError } from '../../ui/toasts.tsx';
import classes from './outbox.module.css';
import { SimulateClick } from './Simulate.tsx';

/** More of it is a file to download, not a page to read. */
const SOURCE_BYTES_MAX = 1_000_000;

/** Every part of the message; the open one is in the address. */
export function MessageTabs({ message }: { message: CapturedEmail }) {
  const [{ view }, setUrl] = useUrlState(['view']);
  const tabs = [
    ...(message.html === null
      ? []
      : [{ id: 'preview', label: 'Preview', content: () => <Rendered message={message} /> }]),
    { id: 'text', label: 'Text', content: () => <TextPart text={message.text} /> },
    ...(message.html === null
      ? []
      : [{ id: 'html', label: 'HTML', content: () => <CodeBlock code={message.html ?? ''} label="the html" wrap /> }]),
    { id: 'headers', label: 'Headers', content: () => <HeaderPart headers={message.headers} /> },
    {
      id: 'files',
      label: `Attachments ${message.attachments.length}`,
      content: () => (
        <FilePart files={message.attachments.map(fileOf)} onDownload={(file) => void save(message, file)} />
      ),
    },
    { id: 'links', label: `Links ${message.links.length}`, content: () => <Links message={message} /> },
    { id: 'source', label: 'Source', content: () => <Source message={message} /> },
  ];
  const open = tabs.find(({ id }) => id === view) ?? tabs[0];
  return (
    <Tabs
      value={open?.id ?? null}
      onChange={(id) => setUrl({ view: id === tabs[0]?.id ? undefined : (id ?? undefined) })}
      keepMounted={false}
    >
      <Tabs.List aria-label="Parts of the message" className={classes['tabs'] ?? ''}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id} pt="md">
          {id === open?.id && content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The html with the pictures of the message, as the server makes it for frames. */
function Rendered({ message }: { message: CapturedEmail }) {
  const [view, setView] = usePreviewView();
  const path = message.html_path;
  const { data: html = message.html ?? '' } = useQuery({
    queryKey: [{ _id: 'capturedHtml' }, message.id],
    queryFn: async () => {
      const response = await fetch(path ?? '');
      if (!response.ok) throw new Error('The pictures of the message could not be read.');
      return response.text();
    },
    enabled: path !== null && message.attachments.some(({ content_id }) => content_id !== null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <MailPreview html={html} label={`The message “${message.subject}”`} view={view} onViewChange={setView} />;
}

const fileOf = (file: CapturedEmail['attachments'][number]): MessageFile => ({
  id: file.id,
  name: file.filename ?? `part ${file.id}`,
  type: file.content_type,
  size: file.size,
  isInline: file.disposition === 'inline',
});

async function save(message: CapturedEmail, { id, name }: MessageFile): Promise<void> {
  if (id === null) return;
  try {
    const path = { id: message.id, attachmentId: id };
    const { data } = await getCapturedEmailAttachment({ path, parseAs: 'blob', throwOnError: true });
    const file = data as unknown as Blob; // read as a blob, whatever the description says
    download(name, file.type, file);
  } catch (error) {
    toastError(error);
  }
}

const Links = ({ message }: { message: CapturedEmail }) => (
  <LinkPart
    links={message.links.map((link) => ({
      ...link,
      ...(link.tracked ? { action: <SimulateClick message={message} url={link.url} /> } : {}),
    }))}
  />
);

function Source({ message }: { message: CapturedEmail }) {
  const isLarge = message.size > SOURCE_BYTES_MAX;
  const { data, error, refetch } = useQuery({
    ...getCapturedEmailRawOptions({ path: { id: message.id }, parseAs: 'text' }),
    enabled: !isLarge,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isLarge)
    return <p className={classes['nothing']}>The message is too large to be shown here. Download it instead.</p>;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={200} />;
  return <CodeBlock code={String(data)} label="the source of the message" />;
}
