import { Modal, type ModalProps } from '@mantine/core';
import { useOpensLater } from '../../lib/use-opens-later.ts';

/** A dialog inside of a part that is loaded when it opens (`lazyDialog`). Pages use `ui/Dialog`. */
export function LoadedDialog({ opened, ...props }: ModalProps) {
  return <Modal {...props} opened={useOpensLater(opened)} />;
}
