import { TextInput } from '@mantine/core';

interface Props {
  zone: string;
  /** A time of the clock: `2026-12-01T12:00`; '': none. */
  value: string;
  /** Why it was refused. */
  error?: string | undefined;
  onChange: (local: string) => void;
}

/** A time by which the last email is to have left. */
export function FinishBy({ zone, value, error, onChange }: Props) {
  return (
    <TextInput
      type="datetime-local"
      label="Done by"
      description={`If you like, in ${zone}. It is refused, with the earliest time, when the pace cannot make it.`}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value.slice(0, 16))}
    />
  );
}
