import { TextInput, type TextInputProps } from '@mantine/core';
import { type RefObject, useId } from 'react';

interface Props extends TextInputProps {
  ref: RefObject<HTMLInputElement | null>;
}

/** Stands for a `Select` until the code of its choices is there: it looks the same, and is read in the same way. */
export function ClosedCombobox(props: Props) {
  const choicesId = useId(); // of what is not there yet
  return (
    <TextInput
      {...props}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls={choicesId}
      readOnly
      pointer
      rightSectionPointerEvents="none"
    />
  );
}
