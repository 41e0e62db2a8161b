import { Button } from '@mantine/core';
import { hideNotification, showNotification } from '@mantine/notifications';
import { errorSentence } from '../lib/api-error.ts';
import { pb } from '../lib/paths.ts';

const UNDO_MS = 10_000;
const DONE_MS = 4_000;
const closeButtonProps = { 'aria-label': 'Close' };

/** A short sentence about what was done. A screen reader says it when it has finished what it says. */
export function toastDone(message: string): void {
  showNotification({ role: 'status', message, closeButtonProps, autoClose: DONE_MS, withBorder: false, color: 'gray' });
}

/** A test was sent; where mail is captured, somebody would wait for it. */
export function toastTest(to: string, isCaptured: boolean): void {
  if (!isCaptured) return toastDone(`A test is on its way to ${to}.`);
  showNotification({
    role: 'status',
    message: (
      <>
        This server captures mail and sends none. The test for {to} is in the <a href={pb.outbox()}>Outbox</a>.
      </>
    ),
    closeButtonProps,
    autoClose: UNDO_MS,
    withBorder: false,
    color: 'gray',
  });
}

/** The result left something to look at. It stays until the person closes it. */
export function toastLinks(message: string, links: readonly { label: string; href: string }[]): void {
  showNotification({
    role: 'status',
    message: (
      <>
        {message}{' '}
        {links.map(({ label, href }, index) => (
          <span key={href}>
            {index > 0 && ', '}
            <a href={href}>{label}</a>
          </span>
        ))}
      </>
    ),
    closeButtonProps,
    autoClose: false,
    withBorder: false,
    color: 'gray',
  });
}

/** For a failure that no form shows. It stays until the person closes it. */
export function toastError(error: unknown): void {
  showNotification({ message: errorSentence(error), closeButtonProps, autoClose: false, color: 'red' });
}

/** Tells an action, with a button that undoes it for ten seconds. Better than asking before. */
export function toastUndo(message: string, undo: () => void): void {
  const id = crypto.randomUUID?.() ?? String(Math.random());
  showNotification({
    id,
    role: 'status',
    closeButtonProps,
    autoClose: UNDO_MS,
    color: 'gray',
    message: (
      <span style={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 12 }}>
        {message}
        <Button
          variant="default"
          size="xs"
          style={{ flexShrink: 0 }}
          onClick={() => {
            hideNotification(id);
            undo();
          }}
        >
          Undo
        </Button>
      </span>
    ),
  });
}
