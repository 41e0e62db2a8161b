import { type RefCallback, type RefObject, useLayoutEffect } from 'react';

interface Props {
  for: RefObject<HTMLButtonElement | null>;
  /** These are given by what opens. */
  ref?: RefCallback<HTMLElement>;
  id?: string;
  'aria-controls'?: string;
}

/** The target of a menu or a popover, for a button that was there before. It tells the button their names. */
export function Standing({ for: { current: button }, ref, id, 'aria-controls': controls }: Props) {
  useLayoutEffect(() => {
    ref?.(button);
  }, [ref, button]);
  useLayoutEffect(() => {
    if (id !== undefined) button?.setAttribute('id', id);
    if (controls === undefined) button?.removeAttribute('aria-controls');
    else button?.setAttribute('aria-controls', controls);
  }, [button, id, controls]);
  return null;
}
