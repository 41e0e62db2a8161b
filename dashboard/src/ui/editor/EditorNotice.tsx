import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './editor.module.css';

/** A sentence about the last thing that was pasted or put in, until it is closed. */
export function EditorNotice({ children, onClose }: { children: ReactNode; onClose(): void }) {
  return (
    <Alert
      className={styles['warning'] ?? ''}
      color="gray"
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {children}
    </Alert>
  );
}
