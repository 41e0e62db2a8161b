import { Button, FileButton, Text } from '@mantine/core';
import { FileText, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { formatBytes } from '../../lib/number.ts';
import classes from './FileDrop.module.css';

interface Props {
  file: File | undefined;
  /** The names and types that the browser offers first. */
  accept: string;
  /** Before a file is chosen: which files may be dropped. They lead to the button. */
  words: string;
  more?: string;
  /** Why the last file was not taken. */
  problem: string | undefined;
  onTake: (file: File) => void;
}

/** A file that is dropped or chosen. It reads nothing of it. */
export function FileDrop({ file, accept, words, more, problem, onTake }: Props) {
  const [isOver, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  const take = (next: File | null | undefined) => {
    if (next === null || next === undefined) return;
    onTake(next);
    reset.current?.(); // the same file may be chosen again after it was changed
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {file === undefined ? <Upload size={20} aria-hidden="true" /> : <FileText size={20} aria-hidden="true" />}
      <div className={classes['fileWords']}>
        {file === undefined ? (
          <>
            <Text size="sm">{words}</Text>
            {more !== undefined && (
              <Text size="xs" c="dimmed">
                {more}
              </Text>
            )}
          </>
        ) : (
          <>
            <Text size="sm" fw={500}>
              {file.name}
            </Text>
            <Text size="xs" c="dimmed">
              {formatBytes(file.size)}
            </Text>
          </>
        )}
        {problem !== undefined && (
          <Text size="sm" c="var(--ph-bad)" role="alert">
            {problem}
          </Text>
        )}
      </div>
      <FileButton resetRef={reset} accept={accept} onChange={take}>
        {(props) => (
          <Button {...props} variant="default">
            {file === undefined ? 'Choose a file' : 'Another file'}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
