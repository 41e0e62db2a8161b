import { Select } from '@mantine/core';
import classes from './outbox.module.css';

interface Props {
  recipients: string[];
  value: string | null;
  onChange: (recipient: string | null) => void;
}

/** Which recipients of a message the outcome is for. */
export function SimulateFor({ recipients, value, onChange }: Props) {
  return (
    <Select
      className={classes['whom'] ?? ''}
      size="xs"
      label="For"
      placeholder="every recipient"
      data={recipients}
      value={value}
      onChange={onChange}
      clearable
      searchable
      comboboxProps={{ withinPortal: false }}
    />
  );
}
