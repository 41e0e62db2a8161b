import { ActionIcon, Checkbox, Select, TextInput } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { TemplateVariable } from '../../../api/generated/types.gen.ts';
import type { ApiForm } from '../../../lib/use-api-form.ts';
import { type TemplateValues, VARIABLE_TYPES, type VariableValues, valuesOfVariable } from './template-form.ts';
import classes from '../templates.module.css';

interface Props {
  fields: ApiForm<TemplateValues>['fields'];
  /** Variables of the saved version. */
  variables: readonly TemplateVariable[];
  readOnly: boolean;
}

const TYPES = VARIABLE_TYPES.map((type) => ({ value: type, label: type }));

/** The variables that the saved text asks for, and what the person says of them besides. */
export function VariablesField({ fields, variables, readOnly }: Props) {
  const declared = fields.values.variables;
  const found = variables.filter(({ key }) => !declared.some((one) => one.key === key));
  // One that is forgotten shows again as the text asks for it when the draft is saved.
  const rows = [...found.filter((one) => !one.declared).map(valuesOfVariable), ...declared].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
  const say = (row: VariableValues, change: Partial<VariableValues>) => {
    const next = { ...row, ...change };
    const others = declared.filter(({ key }) => key !== row.key);
    fields.setFieldValue(
      'variables',
      [...others, next].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    );
  };
  const forget = ({ key }: VariableValues) =>
    fields.setFieldValue(
      'variables',
      declared.filter((one) => one.key !== key),
    );
  return (
    <div className={classes['stack']}>
      {rows.length === 0 ? (
        <p className={classes['note']}>
          The saved text asks for no data. Write <code>{'{{ name }}'}</code> where a value belongs.
        </p>
      ) : (
        <ul className={classes['rows']}>
          {rows.map((row) => {
            const at = declared.findIndex(({ key }) => key === row.key);
            return (
              <li key={row.key} className={classes['row']}>
                <code className={classes['key']}>{row.key}</code>
                <Select
                  className={classes['type'] ?? ''}
                  size="xs"
                  aria-label={`Type of ${row.key}`}
                  data={TYPES}
                  value={row.type}
                  readOnly={readOnly}
                  allowDeselect={false}
                  onChange={(type) => say(row, { type: type as VariableValues['type'] })} // one of TYPES
                />
                <Checkbox
                  className={classes['required'] ?? ''}
                  size="xs"
                  label="Required"
                  aria-label={`${row.key} is required`}
                  checked={row.required}
                  disabled={readOnly}
                  onChange={(event) => say(row, { required: event.currentTarget.checked })}
                />
                <TextInput
                  className={classes['fallback'] ?? ''}
                  size="xs"
                  aria-label={`Fallback of ${row.key}`}
                  placeholder={row.type === 'string' ? 'Fallback' : 'Fallback as JSON'}
                  value={row.fallback}
                  readOnly={readOnly}
                  error={at === -1 ? undefined : fields.errors[`variables.${at}.fallback`]}
                  onChange={(event) => {
                    const fallback = event.currentTarget.value;
                    // A fallback stands in for a missing value.
                    say(row, { fallback, required: row.required && fallback === '' });
                  }}
                />
                {at !== -1 && !readOnly && (
                  <ActionIcon
                    className={classes['forget'] ?? ''}
                    variant="subtle"
                    color="gray"
                    aria-label={`Take what the text says of ${row.key}`}
                    onClick={() => forget(row)}
                  >
                    <RotateCcw size={14} />
                  </ActionIcon>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {fields.errors['variables'] !== undefined && (
        <p role="alert" className={classes['wrong']}>
          {fields.errors['variables']}
        </p>
      )}
    </div>
  );
}
