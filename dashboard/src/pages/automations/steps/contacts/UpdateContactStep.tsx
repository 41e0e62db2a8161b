import { ActionIcon, Autocomplete, Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { allProperties } from '../../../../api/audience.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import classes from '../../automations.module.css';
import { type PropertyRow, propertiesOf, rowsOf } from './property-rows.ts';
import type { StepFieldsProps } from '../step-fields.ts';

/** The properties that change, one in each row. */
export function UpdateContactStep({ config, faults, readOnly, onChange }: StepFieldsProps) {
  const { properties = {} } = config;
  const { data = [] } = useQuery(allProperties);
  const types = Object.fromEntries(data.map(({ key, type }) => [key, type]));
  // A row without a name is on the page and not in the step.
  const [written, setRows] = useState(() => rowsOf(properties));
  const saying = JSON.stringify(properties);
  const rows = JSON.stringify(propertiesOf(written, types, properties)) === saying ? written : rowsOf(properties);
  const setAll = (next: PropertyRow[]) => {
    setRows(next);
    onChange({ properties: propertiesOf(next, types, properties) });
  };
  const set = (at: number, change: Partial<PropertyRow>) =>
    setAll(rows.map((row, index) => (index === at ? { ...row, ...change } : row)));
  const problems = Object.entries(faults).filter(([field]) => field.startsWith('properties'));
  return (
    <>
      {rows.map(({ name, text }, index) => (
        // Rows have no id; they are changed in place, so the position names one.
        <fieldset key={index} className={classes['filter']}>
          <legend>{index === 0 ? 'Properties that change' : 'and'}</legend>
          <div className={classes['condition']}>
            <Autocomplete
              label="Property"
              placeholder="plan"
              data={data.map(({ key }) => key)}
              value={name}
              onChange={(next) => set(index, { name: next.trim() })}
              readOnly={readOnly}
              spellCheck={false}
              maxLength={64}
            />
            <TextInput
              label="New value"
              placeholder="Empty: it is removed"
              value={text}
              onChange={(event) => set(index, { text: event.currentTarget.value })}
              readOnly={readOnly}
            />
          </div>
          {!readOnly && (
            <ActionIcon
              variant="subtle"
              aria-label={`Remove property ${index + 1}`}
              onClick={() => setAll(rows.filter((_, at) => at !== index))}
            >
              <X size={15} />
            </ActionIcon>
          )}
        </fieldset>
      ))}
      {problems.map(([field, words]) => (
        <Notice key={field} tone="bad">
          {words}
        </Notice>
      ))}
      {!readOnly && (
        <Button
          className={classes['small'] ?? ''}
          variant="subtle"
          size="xs"
          leftSection={<Plus size={14} />}
          onClick={() => setAll([...rows, { name: '', text: '' }])}
        >
          Add a property
        </Button>
      )}
    </>
  );
}
