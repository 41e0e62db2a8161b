import { NumberInput, Select } from '@mantine/core';
import classes from './automations.module.css';
import { durationText, readDuration, type Unit, UNITS } from './durations.ts';

interface Props {
  label: string;
  value: string | undefined;
  error?: string | undefined;
  readOnly: boolean;
  onChange: (duration: string) => void;
}

/** A number and a unit: `3 days`. */
export function DurationInput({ label, value, error, readOnly, onChange }: Props) {
  const { count, unit } = readDuration(value);
  return (
    <div className={classes['duration']}>
      <NumberInput
        label={label}
        value={count}
        onChange={(next) => onChange(durationText(String(next), unit))}
        min={1}
        max={99_999_999}
        allowDecimal={false}
        allowNegative={false}
        error={error}
        readOnly={readOnly}
      />
      <Select
        label="Unit"
        data={UNITS.map((one) => ({ value: one, label: count === '1' ? one : `${one}s` }))}
        value={unit}
        onChange={(next) => onChange(durationText(count, (next ?? unit) as Unit))} // one of UNITS
        readOnly={readOnly}
        allowDeselect={false}
      />
    </div>
  );
}
