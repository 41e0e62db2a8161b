import { useState } from 'react';
import type { Write } from '../lib/write.ts';
import { ActionButton } from './ActionButton.tsx';
import { ConfirmTyped } from './ConfirmTyped.tsx';
import type { ConfirmTypedProps } from './dialog/ConfirmTypedLoaded.tsx';

interface Props extends Pick<ConfirmTypedProps, 'title' | 'expected' | 'of' | 'confirm' | 'children'> {
  label: string;
  write: Write;
  disabledReason: string | undefined;
  variant?: 'danger' | 'default';
  /** Small; as high as the others of a page when left out. */
  size?: 'xs';
}

/** A button for a write that cannot be undone: it asks for the exact count or name first. */
export function TypedButton({ label, write, disabledReason, variant = 'danger', size, ...dialog }: Props) {
  const [asks, setAsks] = useState(false);
  const close = () => setAsks(false);
  return (
    <>
      <ActionButton
        variant={variant}
        {...(size === undefined ? {} : { size })}
        disabledReason={disabledReason}
        onClick={() => setAsks(true)}
      >
        {label}
      </ActionButton>
      <ConfirmTyped
        {...dialog}
        opened={asks}
        onClose={close}
        onConfirm={() => write.mutate(undefined, { onSuccess: close })}
        loading={write.isPending}
        danger
      />
    </>
  );
}
