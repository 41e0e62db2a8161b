import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countUndoOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { undoImport } from '../../api/generated/sdk.gen.ts';
import type { Import } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted } from '../../lib/number.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { removesWords, staysWords } from './import-words.ts';

interface Props {
  record: Import;
  changes: readonly string[];
}

/** Asks with the number of people first: they are deleted. */
export function UndoImport({ record, changes, disabledReason }: Props & { disabledReason: string | undefined }) {
  const [asks, setAsks] = useState(false);
  const close = () => setAsks(false);
  return (
    <>
      <ActionButton variant="default" disabledReason={disabledReason} onClick={() => setAsks(true)}>
        Undo
      </ActionButton>
      <Dialog opened={asks} onClose={close} title="Undo this import?" size="md">
        {asks && <Asked record={record} changes={changes} onClose={close} />}
      </Dialog>
    </>
  );
}

function Asked({ record, changes, onClose }: Props & { onClose: () => void }) {
  const path = { id: record.id };
  const count = useQuery({ ...countUndoOptions({ path }), staleTime: 0 }); // each row of the import is read: once
  const undo = useWrite({
    call: () => undoImport({ path, throwOnError: true }),
    changes,
    onDone: () => {
      onClose();
      toastDone('The import is being undone.');
    },
    onError: toastError,
  });
  if (count.error !== null) return <ErrorState error={count.error} onRetry={() => void count.refetch()} />;
  const { removes, stays } = count.data ?? {};
  return (
    <>
      <Text size="sm" role="status">
        {removes === undefined || stays === undefined ? (
          'Counting the people …'
        ) : (
          <>
            {removesWords(record, removes)} {staysWords(stays)} Fields that the import filled or overwrote stay as they
            are.
          </>
        )}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <ActionButton variant="default" onClick={onClose}>
          Cancel
        </ActionButton>
        <ActionButton
          variant="danger"
          loading={undo.isPending}
          disabledReason={removes === undefined ? 'The people are being counted.' : undefined}
          onClick={() => undo.mutate(undefined)}
        >
          {removes === undefined ? 'Remove them' : `Remove ${counted(removes, 'person', 'people')}`}
        </ActionButton>
      </Group>
    </>
  );
}
