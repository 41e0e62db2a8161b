import { Popover } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useOpensLater } from '../../lib/use-opens-later.ts';
import { Standing } from './Standing.tsx';

interface Props {
  opened: boolean;
  onChange: (isOpen: boolean) => void;
  button: RefObject<HTMLButtonElement | null>;
  label?: string;
  children: ReactNode;
}

export function LoadedPopover({ opened, onChange, button, label, children }: Props) {
  return (
    <Popover opened={useOpensLater(opened)} onChange={onChange} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Standing for={button} />
      </Popover.Target>
      <Popover.Dropdown {...(label === undefined ? {} : { 'aria-label': label })}>{children}</Popover.Dropdown>
    </Popover>
  );
}
