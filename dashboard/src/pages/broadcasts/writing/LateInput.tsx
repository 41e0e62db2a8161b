import { TextInput } from '@mantine/core';
import { useState } from 'react';

interface Props {
  label: string;
  description: string;
  placeholder?: string;
  value: string;
  maxLength: number;
  readOnly: boolean;
  /** An emptied one gets its text back. */
  isNeeded?: boolean;
  onChange: (value: string) => void;
}

/** A line that counts when it is left: half an address would be refused, and with it whatever else is typed. */
export function LateInput({ label, description, placeholder, value, maxLength, readOnly, isNeeded, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  const settle = () => {
    if (typed === undefined) return;
    setTyped(undefined);
    if (typed.trim() !== value && !(isNeeded === true && typed.trim() === '')) onChange(typed.trim());
  };
  return (
    <TextInput
      label={label}
      description={description}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={typed ?? value}
      maxLength={maxLength}
      readOnly={readOnly}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}
