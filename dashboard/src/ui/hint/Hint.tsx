import { Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useId } from 'react';
import { useOpensLater } from '../../lib/use-opens-later.ts';

interface Props {
  opened: boolean;
  target: HTMLElement | undefined;
  label: ReactNode;
}

/** The box beside an element that says more about it. */
export function Hint({ opened, target, label }: Props) {
  const id = useId();
  const isOpen = useOpensLater(opened);
  useEffect(() => {
    if (!isOpen || target === undefined) return undefined;
    const before = target.getAttribute('aria-describedby');
    target.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`);
    return () => {
      if (before === null) target.removeAttribute('aria-describedby');
      else target.setAttribute('aria-describedby', before);
    };
  }, [isOpen, target, id]);
  if (target === undefined) return null;
  return <Tooltip target={target} opened={isOpen} multiline maw={280} label={<span id={id}>{label}</span>} />;
}
