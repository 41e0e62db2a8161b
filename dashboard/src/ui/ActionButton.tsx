import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { hinted } from './hint/hinted.ts';

interface Props extends Omit<ButtonProps, 'disabled'> {
  children: ReactNode;
  onClick?: () => void;
  /** A page of the dashboard, in place of `onClick`. */
  href?: string;
  type?: 'button' | 'submit';
  /** The form that a submit button outside of it belongs to. */
  form?: string;
  /** Why this cannot be done. The button stays reachable by Tab, so that the reason can be read. */
  disabledReason?: string | undefined;
}

/**
 * A button that says why it is disabled, on hover, on focus and to a screen reader. The palette lists those of the page
 * behind it (`app/palette/on-this-page.ts`).
 */
export function ActionButton({ disabledReason, onClick, href, children, type = 'button', ...props }: Props) {
  const reasonId = useId();
  if (disabledReason === undefined) {
    if (href !== undefined) {
      return (
        <Button {...props} component="a" href={href} data-page-action>
          {children}
        </Button>
      );
    }
    return (
      <Button {...props} type={type} data-page-action {...(onClick ? { onClick } : {})}>
        {children}
      </Button>
    );
  }
  return (
    <span {...hinted(disabledReason)}>
      <Button {...props} type="button" aria-disabled="true" aria-describedby={reasonId} data-page-action>
        {children}
      </Button>
      <span id={reasonId} hidden>
        {disabledReason}
      </span>
    </span>
  );
}
