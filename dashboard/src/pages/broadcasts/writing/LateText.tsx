import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Read } from './option-texts.ts';

interface Props<T> {
  label: string;
  description: string;
  placeholder?: string;
  value: string;
  readOnly: boolean;
  /** More than one line. */
  isLong?: boolean;
  read: (text: string) => Read<T>;
  onChange: (value: T) => void;
}

/** A text with a form of its own: it counts when it is left and can be read, and says what is wrong otherwise. */
export function LateText<T>({ value, readOnly, isLong, read, onChange, ...shown }: Props<T>) {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const settle = () => {
    if (typed === undefined) return;
    const result = read(typed);
    if ('problem' in result) return setProblem(result.problem);
    setProblem(undefined);
    setTyped(undefined);
    if (typed.trim() !== value) onChange(result.value);
  };
  const input = {
    ...shown,
    value: typed ?? value,
    error: problem,
    readOnly,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    onBlur: settle,
  };
  return isLong === true ? (
    <Textarea {...input} autosize minRows={2} maxRows={12} />
  ) : (
    <TextInput {...input} onKeyDown={({ key }) => key === 'Enter' && settle()} />
  );
}
