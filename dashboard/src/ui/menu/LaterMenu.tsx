import type { Menu as MantineMenu, MenuProps } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, type RefObject, useRef, useState } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';

export interface MenuLook extends Pick<MenuProps, 'position' | 'width' | 'closeOnItemClick'> {
  /** The entries, made of the parts of the menu, which are not there before it is. */
  children: (Menu: typeof MantineMenu) => ReactNode;
}

interface Props extends MenuLook {
  /** A button. It opens the menu. */
  target: ReactElement<TargetProps>;
}

interface TargetProps {
  ref?: RefObject<HTMLButtonElement | null>;
  onClick?: () => void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

const LoadedMenu = lazyDialog(() => import('./LoadedMenu.tsx').then((file) => file.LoadedMenu));

/** A menu whose code is loaded after the page. A click before it is there opens it as soon as it is. */
export function LaterMenu({ target, ...look }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      {cloneElement(target, {
        ref: button,
        onClick: () => setOpen(!isOpen),
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
      })}
      <LoadedMenu opened={isOpen} onChange={setOpen} button={button} {...look} />
    </>
  );
}
