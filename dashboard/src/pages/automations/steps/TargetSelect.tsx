import { Select } from '@mantine/core';
import { type DraftStep, targetFault } from './step-list.ts';

interface Props {
  label: string;
  value: string;
  error: string | undefined;
  readOnly: boolean;
  /** Waits may go on to the step behind them. */
  mayContinue?: boolean;
  steps: readonly DraftStep[];
  at: number;
  onChange: (target: string) => void;
}

/** Where a branch leads: to a later step, or to the end. */
export function TargetSelect({ label, value, error, readOnly, mayContinue = false, steps, at, onChange }: Props) {
  const later = steps.slice(at + 1).map(({ step }, index) => ({
    value: step.key,
    label: `${at + 2 + index}. ${step.key}`,
  }));
  const data = [
    ...(mayContinue ? [{ value: 'continue', label: 'Go on with the next step' }] : []),
    { value: 'end', label: 'End the run' },
    ...new Map(later.map((one) => [one.value, one])).values(),
  ];
  const isKnown = data.some((one) => one.value === value);
  return (
    <Select
      label={label}
      data={isKnown ? data : [...data, { value, label: value }]}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
      error={error ?? targetFault(steps, at, value)}
      readOnly={readOnly}
      allowDeselect={false}
    />
  );
}
