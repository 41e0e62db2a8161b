import { Select, TextInput } from '@mantine/core';
import { ZoneField } from '../../../ui/form/ZoneField.tsx';
import classes from '../automations.module.css';
import { DurationInput } from '../DurationInput.tsx';
import type { StepFieldsProps } from './step-fields.ts';

const WAYS = [
  { value: 'duration', label: 'For some time' },
  { value: 'until', label: 'Until a time of the day' },
];
const OF_WORKSPACE = '';

export function DelayStep({ config, faults, readOnly, onChange }: StepFieldsProps) {
  const isUntil = config.until_local !== undefined;
  const zone = config.timezone ?? OF_WORKSPACE;
  return (
    <>
      <Select
        label="How long"
        data={WAYS}
        value={isUntil ? 'until' : 'duration'}
        onChange={(next) =>
          onChange(
            next === 'until'
              ? { until_local: '09:00', timezone: null, duration: undefined }
              : { duration: '1 day', until_local: undefined, timezone: undefined },
          )
        }
        readOnly={readOnly}
        allowDeselect={false}
      />
      {isUntil ? (
        <div className={classes['two']}>
          <TextInput
            type="time"
            label="Time"
            value={config.until_local}
            onChange={(event) => onChange({ until_local: event.currentTarget.value.slice(0, 5) })}
            error={faults['until_local'] ?? faults['duration']}
            readOnly={readOnly}
          />
          <ZoneField
            label="Time zone"
            own={{ value: OF_WORKSPACE, label: 'That of the workspace' }}
            value={zone}
            onChange={(next) => onChange({ timezone: next === OF_WORKSPACE ? null : next })}
            error={faults['timezone']}
            readOnly={readOnly}
          />
        </div>
      ) : (
        <DurationInput
          label="Wait for"
          value={config.duration}
          error={faults['duration']}
          readOnly={readOnly}
          onChange={(duration) => onChange({ duration })}
        />
      )}
    </>
  );
}
