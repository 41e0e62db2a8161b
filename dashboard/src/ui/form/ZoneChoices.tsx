import { Select } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { zoneChoices } from '../../lib/zone.ts';
import type { ZoneFieldProps } from './ZoneField.tsx';

/** More are found by their letters. */
const SEEN_AT_ONCE = 100;

export function ZoneChoices({ own, withFocus, onChange, ...field }: ZoneFieldProps & { withFocus: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!withFocus) return;
    input.current?.focus();
    input.current?.select(); // as the Tab key does: letters then replace the zone
  }, [withFocus]);
  const zone = field.value === own?.value ? '' : field.value;
  return (
    <Select
      ref={input}
      {...field}
      data={zoneChoices(zone, ...(own === undefined ? [] : [own]))}
      onChange={(next) => next !== null && onChange(next)}
      searchable
      limit={SEEN_AT_ONCE}
      allowDeselect={false}
    />
  );
}
