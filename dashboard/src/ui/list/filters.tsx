import { Select } from '@mantine/core';
import classes from './ListPage.module.css';

export { SearchFilter } from './SearchFilter.tsx';

interface SelectProps {
  label: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

/** One choice of a few; nothing chosen means all. */
export function SelectFilter({ label, value, options, onChange }: SelectProps) {
  return (
    <Select
      className={classes['select']}
      size="xs"
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      clearable
      checkIconPosition="right"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      data-set={value === undefined ? undefined : true}
    />
  );
}
