import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpensLater } from '../../lib/use-opens-later.ts';
import classes from './Shell.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation on a phone. */
export function NavDrawer({ opened, onClose, children }: Props) {
  return (
    <Drawer
      opened={useOpensLater(opened)}
      onClose={onClose}
      size={280}
      padding={0}
      withCloseButton={false}
      title="Navigation"
    >
      <div className={classes['drawer']}>{children}</div>
    </Drawer>
  );
}
