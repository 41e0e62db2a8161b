import { Menu } from '@mantine/core';
import type { RefObject } from 'react';
import { useOpensLater } from '../../lib/use-opens-later.ts';
import type { MenuLook } from './LaterMenu.tsx';
import { Standing } from './Standing.tsx';

interface Props extends MenuLook {
  opened: boolean;
  onChange: (isOpen: boolean) => void;
  button: RefObject<HTMLButtonElement | null>;
}

export function LoadedMenu({ opened, onChange, button, children, ...look }: Props) {
  return (
    <Menu opened={useOpensLater(opened)} onChange={onChange} {...look}>
      <Menu.Target>
        <Standing for={button} />
      </Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}
