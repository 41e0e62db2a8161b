import { Select, TextInput } from '@mantine/core';
import classes from './builder.module.css';
import type { kindOf } from './filter-fields.ts';
import { type ConditionNode, takesValue, UNITS } from './filter-tree.ts';

interface Props {
  node: ConditionNode;
  kind: ReturnType<typeof kindOf>;
  /** "of condition 2.1". */
  of: string;
  readOnly: boolean;
  onChange: (node: ConditionNode) => void;
}

const UNIT_OPTIONS = UNITS.map((value) => ({ value, label: value }));

/** The input of a condition, by the type of its field. */
export function ConditionValue({ node, kind, of, readOnly, onChange }: Props) {
  if (kind === 'activity' || kind === 'event')
    return <Activity node={node} of={of} readOnly={readOnly} onChange={onChange} />;
  if (!takesValue(node.op)) return null;
  const isTime = kind === 'day' || kind === 'date';
  // A time of the API stays as it is; a day is chosen.
  const isDay = isTime && (node.value === '' || /^\d{4}-\d\d-\d\d$/.test(node.value));
  return (
    <TextInput
      className={classes['value']}
      size="xs"
      type={isDay ? 'date' : 'text'}
      aria-label={`Value ${of}`}
      placeholder={kind === 'number' ? '0' : 'Value'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      maxLength={500}
      spellCheck={false}
      readOnly={readOnly}
      value={node.value}
      onChange={(event) => onChange({ ...node, value: event.currentTarget.value })}
    />
  );
}

function Activity({ node, of, readOnly, onChange }: Omit<Props, 'kind'>) {
  return (
    <>
      {node.op === 'at_least' && (
        <TextInput
          className={classes['short']}
          size="xs"
          aria-label={`Number of emails ${of}`}
          inputMode="numeric"
          readOnly={readOnly}
          value={node.count}
          onChange={(event) => onChange({ ...node, count: event.currentTarget.value })}
        />
      )}
      <span className={classes['span']}>
        <span className={classes['words']}>in the last</span>
        <TextInput
          className={classes['short']}
          size="xs"
          aria-label={`Time span ${of}`}
          placeholder="ever"
          inputMode="numeric"
          readOnly={readOnly}
          value={node.within}
          onChange={(event) => onChange({ ...node, within: event.currentTarget.value })}
        />
        <Select
          className={classes['unit']}
          size="xs"
          aria-label={`Unit of the time span ${of}`}
          data={UNIT_OPTIONS}
          value={node.unit}
          onChange={(unit) => onChange({ ...node, unit: UNITS.find((one) => one === unit) ?? 'days' })}
          readOnly={readOnly}
          allowDeselect={false}
        />
      </span>
    </>
  );
}
