import type { ComponentProps, MouseEvent } from 'react';

type Props = ComponentProps<'button'> & { 'data-loading'?: boolean };

/**
 * The element of every button. Mantine disables a button with `loading`, and the browser then takes the focus away from
 * it. This one keeps the focus while it waits, and ignores clicks. Enter in a field does not send the form again: the
 * browser clicks the submit button for it.
 */
export function WaitingButton({ disabled, onClick, type = 'button', ...props }: Props) {
  if (props['data-loading'] !== true) return <button {...props} type={type} disabled={disabled} onClick={onClick} />;
  return <button {...props} type={type} aria-disabled="true" onClick={ignore} />;
}

function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
