import { Button, Group, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { LoadedDialog } from './LoadedDialog.tsx';

export interface ConfirmTypedProps {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** The consequence, with its exact numbers. */
  children: ReactNode;
  /** The text to type: an exact count ("4,812" may be typed as 4812), or a name. */
  expected: string;
  /** The meaning of `expected`, in words: "the number of recipients". */
  of: string;
  confirm: string;
  loading?: boolean;
  danger?: boolean;
}

/** Loaded by `ui/ConfirmTyped` only. */
export function ConfirmTypedLoaded(props: ConfirmTypedProps) {
  return (
    <LoadedDialog opened={props.opened} onClose={props.onClose} title={props.title} size="md">
      <ConfirmBody {...props} />
    </LoadedDialog>
  );
}

// A component of its own, so that what was typed is gone when the dialog opens again.
function ConfirmBody({
  children,
  expected,
  of,
  confirm,
  onClose,
  onConfirm,
  loading = false,
  danger = false,
}: ConfirmTypedProps) {
  const [typed, setTyped] = useState('');
  const plain = (text: string) => text.replaceAll(/[\s,.’']/g, '').toLowerCase();
  const isRight = /^[\d,.\s]+$/.test(expected) ? plain(typed) === plain(expected) : typed.trim() === expected;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight && !loading) onConfirm();
      }}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <TextInput
        mt="md"
        label={
          <>
            Type <b>{expected}</b>, {of}, to confirm
          </>
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {/* Beside “Cancel the issue”, a second “Cancel” would be read as the same. */}
          {/^cancel\b/i.test(confirm) ? 'Go back' : 'Cancel'}
        </Button>
        <Button type="submit" variant={danger ? 'danger' : 'filled'} disabled={!isRight} loading={loading}>
          {confirm}
        </Button>
      </Group>
    </form>
  );
}
