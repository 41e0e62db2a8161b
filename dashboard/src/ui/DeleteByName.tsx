import type { ComponentProps } from 'react';
import { TypedButton } from './TypedButton.tsx';

interface Props extends Pick<ComponentProps<typeof TypedButton>, 'write' | 'disabledReason' | 'children'> {
  name: string;
  /** "list", "segment". */
  noun: string;
  /** Left out where the page has only this one to delete. */
  label?: string;
}

/** Deletes a record for good, after its name was typed. `children` are the consequences. */
export function DeleteByName({ name, noun, label = `Delete ${noun}`, ...props }: Props) {
  return (
    <TypedButton
      {...props}
      label={label}
      title={`Delete ${name}?`}
      expected={name}
      of={`the name of the ${noun}`}
      confirm="Delete"
    />
  );
}
