import { Autocomplete, Select, TextInput } from '@mantine/core';
import type { AutomationCondition } from '../../api/generated/types.gen.ts';
import classes from './automations.module.css';
import { FIELDS, listedOp, OPS, takesValue, textOfValue } from './conditions.ts';

type Condition = Partial<AutomationCondition>;

interface Props {
  value: Condition;
  faultOf: (field: 'field' | 'op' | 'value') => string | undefined;
  readOnly: boolean;
  onChange: (change: Condition) => void;
}

/** A field of the person or of the payload, and what it is compared with. */
export function ConditionInput({ value, faultOf, readOnly, onChange }: Props) {
  return (
    <div className={classes['condition']}>
      <Autocomplete
        label="Field"
        placeholder="payload.plan"
        data={[...FIELDS]}
        value={value.field ?? ''}
        onChange={(field) => onChange({ field })}
        error={faultOf('field')}
        readOnly={readOnly}
        spellCheck={false}
        maxLength={200}
      />
      <Select
        label="Comparison"
        data={[...OPS]}
        value={value.op === undefined ? null : listedOp(value.op)}
        onChange={(op) => op !== null && onChange({ op })}
        error={faultOf('op')}
        readOnly={readOnly}
        allowDeselect={false}
        maxDropdownHeight={380}
      />
      {takesValue(value.op) && (
        <TextInput
          label="Value"
          placeholder={value.op === 'in' ? 'pro, team' : 'active'}
          value={textOfValue(value.value)}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
          error={faultOf('value')}
          readOnly={readOnly}
          spellCheck={false}
        />
      )}
    </div>
  );
}
