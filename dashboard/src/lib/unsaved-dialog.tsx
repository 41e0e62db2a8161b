import { Button, Group, Modal, Text } from '@mantine/core';
import { useOpensLater } from './use-opens-later.ts';

interface Props {
  opened: boolean;
  what: string;
  onStay: () => void;
  onLeave: () => void;
}

/** The question of `UnsavedGuard`. */
export function UnsavedDialog({ opened, what, onStay, onLeave }: Props) {
  return (
    <Modal opened={useOpensLater(opened)} onClose={onStay} title="Leave this page?" size="sm">
      <Text size="sm">{what}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onStay} data-autofocus>
          Stay
        </Button>
        <Button variant="danger" onClick={onLeave}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  );
}
