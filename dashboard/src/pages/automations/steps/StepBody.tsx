import { Select, TextInput } from '@mantine/core';
import type { AutomationStep } from '../../../api/generated/types.gen.ts';
import { kindOf } from './step-kinds.ts';
import type { DraftStep } from './step-list.ts';
import classes from './steps.module.css';

interface Props {
  steps: readonly DraftStep[];
  at: number;
  faults: Readonly<Record<string, string>>;
  readOnly: boolean;
  onChange: (step: AutomationStep) => void;
}

const ON_ERROR = [
  { value: 'stop', label: 'End the run as failed' },
  { value: 'continue', label: 'Go on with the next step' },
];

/** The fields of a step: those of its kind, and those that every step has. */
export function StepBody({ steps, at, faults, readOnly, onChange }: Props) {
  const step = steps[at]?.step;
  if (step === undefined) return null;
  const kind = kindOf(step.type);
  const { Fields } = kind;
  return (
    <>
      <Fields
        config={step.config}
        faults={faults}
        readOnly={readOnly}
        steps={steps}
        at={at}
        onChange={(change) => onChange({ ...step, config: { ...step.config, ...change } })}
      />
      <div className={classes['more']}>
        <TextInput
          label="Key"
          description="Names the step in runs and branches."
          value={step.key}
          onChange={(event) => onChange({ ...step, key: event.currentTarget.value.trim() })}
          error={faults['key']}
          readOnly={readOnly}
          spellCheck={false}
          maxLength={64}
        />
        {kind.mayFail === true && (
          <Select
            label="When it fails for good"
            description="It is tried again for a day first."
            data={ON_ERROR}
            value={step.on_error ?? 'stop'}
            onChange={(next) => onChange({ ...step, on_error: next === 'continue' ? 'continue' : 'stop' })}
            error={faults['on_error']}
            readOnly={readOnly}
            allowDeselect={false}
          />
        )}
      </div>
    </>
  );
}
