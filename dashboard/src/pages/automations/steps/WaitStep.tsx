import { DurationInput } from '../DurationInput.tsx';
import { EventTypeInput } from '../EventTypeInput.tsx';
import type { StepFieldsProps } from './step-fields.ts';
import { TargetSelect } from './TargetSelect.tsx';

export function WaitStep({ config, faults, readOnly, steps, at, onChange }: StepFieldsProps) {
  return (
    <>
      <EventTypeInput
        label="Wait until"
        value={config.event ?? ''}
        error={faults['event']}
        readOnly={readOnly}
        onChange={(event) => onChange({ event })}
      />
      <DurationInput
        label="At most"
        value={config.timeout}
        error={faults['timeout']}
        readOnly={readOnly}
        onChange={(timeout) => onChange({ timeout })}
      />
      <TargetSelect
        label="When time is up"
        mayContinue
        value={config.on_timeout ?? 'continue'}
        error={faults['on_timeout']}
        readOnly={readOnly}
        steps={steps}
        at={at}
        onChange={(target) => onChange({ on_timeout: target })}
      />
    </>
  );
}
