import { Button } from '@mantine/core';
import { Download, File, FileImage, Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes } from '../../lib/number.ts';
import { CopyButton } from '../CopyButton.tsx';
import classes from './mail-message.module.css';

/** The parts of a message in words: each is one tab of a page that shows a message. */

export const TextPart = ({ text }: { text: string | null }) =>
  text === null ? <None>This message has no plain text.</None> : <pre className={classes['text']}>{text}</pre>;

export function HeaderPart({ headers }: { headers: readonly { name: string; value: string }[] }) {
  if (headers.length === 0) return <None>No headers beside those that every message has.</None>;
  return (
    <dl className={classes['headers']}>
      {headers.map(({ name, value }, index) => (
        // The same name may come twice.
        <HeaderRow key={`${index} ${name}`} name={name} value={value} />
      ))}
    </dl>
  );
}

const HeaderRow = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

export interface MessageFile {
  /** Null: it cannot be downloaded by itself. */
  id: string | null;
  name: string;
  type: string;
  size: number;
  isInline: boolean;
}

export function FilePart({
  files,
  onDownload,
}: {
  files: readonly MessageFile[];
  onDownload: (file: MessageFile) => void;
}) {
  if (files.length === 0) return <None>This message has no attachments.</None>;
  return (
    <ul className={classes['rows']}>
      {files.map((file, index) => (
        <li key={file.id ?? index} className={classes['row']}>
          {file.type.startsWith('image/') ? <FileImage size={16} /> : <File size={16} />}
          <span className={classes['grow']}>
            {file.name}
            <br />
            <span className={classes['quiet']}>
              {file.type} · {formatBytes(file.size)}
              {file.isInline ? ' · shown in the text' : ''}
            </span>
          </span>
          {file.id !== null && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Download size={14} />}
              aria-label={`Download ${file.name}`}
              onClick={() => onDownload(file)}
            >
              Download
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

export interface MessageLink {
  url: string;
  tracked: boolean;
  action?: ReactNode;
}

/** Links as text to copy: to open one here would count as a click, or sign somebody off. */
export function LinkPart({ links }: { links: readonly MessageLink[] }) {
  if (links.length === 0) return <None>This message has no links.</None>;
  return (
    <ul className={classes['rows']}>
      {links.map(({ url, tracked, action }, index) => (
        <li key={`${index} ${url}`} className={classes['row']}>
          <Link2 size={16} />
          <span className={classes['grow']}>{url}</span>
          {tracked && <span className={classes['quiet']}>tracked</span>}
          {action}
          <CopyButton value={url} label="Copy the link" />
        </li>
      ))}
    </ul>
  );
}

const None = ({ children }: { children: string }) => <p className={classes['none']}>{children}</p>;
