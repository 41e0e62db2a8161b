import { cloneElement, type ReactElement, type ReactNode, type RefObject, useRef } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';

interface Props {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  /** A button. It opens the popover. */
  target: ReactElement<TargetProps>;
  /** The name of the popover, where its target does not say it. */
  label?: string;
  children: ReactNode;
}

interface TargetProps {
  ref?: RefObject<HTMLButtonElement | null>;
  onClick?: () => void;
  'aria-haspopup'?: 'dialog';
  'aria-expanded'?: boolean;
}

const LoadedPopover = lazyDialog(() => import('./LoadedPopover.tsx').then((file) => file.LoadedPopover));

/** A popover with fields, whose code is loaded after the page as that of a `LaterMenu`. */
export function LaterPopover({ isOpen, onChange, target, ...inside }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      {cloneElement(target, {
        ref: button,
        onClick: () => onChange(!isOpen),
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
      })}
      <LoadedPopover opened={isOpen} onChange={onChange} button={button} {...inside} />
    </>
  );
}
