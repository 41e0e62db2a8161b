import { ConditionInput } from '../ConditionInput.tsx';
import type { StepFieldsProps } from './step-fields.ts';
import { TargetSelect } from './TargetSelect.tsx';

export function ConditionStep({ config, faults, readOnly, steps, at, onChange }: StepFieldsProps) {
  return (
    <>
      <ConditionInput value={config} faultOf={(field) => faults[field]} readOnly={readOnly} onChange={onChange} />
      <TargetSelect
        label="Else"
        value={config.else ?? 'end'}
        error={faults['else']}
        readOnly={readOnly}
        steps={steps}
        at={at}
        onChange={(target) => onChange({ else: target })}
      />
    </>
  );
}
