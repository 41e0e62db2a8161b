import { Select } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './ListPage.module.css';
import type { Begins, SelectFilterProps } from './SelectFilter.tsx';

/** More than these are found by their letters. */
const SEEN_AT_ONCE = 20;

export function SelectChoices({ label, value, options, onChange, begins }: SelectFilterProps & { begins: Begins }) {
  const field = useRef<HTMLInputElement>(null);
  const { withFocus, isOpen } = begins;
  useEffect(() => {
    if (withFocus) field.current?.focus();
  }, [withFocus]);
  return (
    <Select
      ref={field}
      className={classes['select']}
      size="xs"
      aria-label={label}
      placeholder={label}
      data={[...options]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      clearable
      searchable={options.length > SEEN_AT_ONCE}
      nothingFoundMessage="Nothing has these letters"
      maxDropdownHeight={320}
      checkIconPosition="right"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      defaultDropdownOpened={isOpen}
      data-set={value === undefined ? undefined : true}
    />
  );
}
