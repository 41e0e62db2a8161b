import { Textarea, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { TemplateVariable } from '../../../api/generated/types.gen.ts';
import type { ApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { sampleOf, type SampleValues, type TemplateValues } from './template-form.ts';
import classes from '../templates.module.css';

interface Props {
  fields: ApiForm<TemplateValues>['fields'];
  variables: readonly TemplateVariable[];
  readOnly: boolean;
}

const SAMPLES_MAX = 20;

/** Sets of data to look at the template with; a version is published only when all of them render. */
export function SamplesField({ fields, variables, readOnly }: Props) {
  const { samples } = fields.values;
  const set = (next: SampleValues[]) => fields.setFieldValue('samples', next);
  const change = (at: number, part: Partial<SampleValues>) =>
    set(samples.map((sample, index) => (index === at ? { ...sample, ...part } : sample)));
  const add = () => set([...samples, { name: `Sample ${samples.length + 1}`, json: sampleOf(variables) }]);
  return (
    <div className={classes['stack']}>
      {fields.errors['samples'] !== undefined && (
        <p role="alert" className={classes['wrong']}>
          {fields.errors['samples']}
        </p>
      )}
      {samples.map(({ name, json }, at) => (
        // Samples have no ids: the position names one.
        <div key={at} className={classes['sample']} role="group" aria-label={`Sample ${at + 1}`}>
          <div className={classes['sampleHead']}>
            <TextInput
              label="Name of the sample"
              value={name}
              maxLength={100}
              readOnly={readOnly}
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            {!readOnly && (
              <ActionButton variant="default" onClick={() => set(samples.filter((_, index) => index !== at))}>
                Remove
              </ActionButton>
            )}
          </div>
          <Textarea
            label="Data as JSON"
            value={json}
            readOnly={readOnly}
            autosize
            minRows={3}
            maxRows={16}
            spellCheck={false}
            error={fields.errors[`samples.${at}.json`]}
            styles={{ input: { fontFamily: 'var(--ph-mono)', fontSize: '0.75rem' } }}
            onChange={(event) => change(at, { json: event.currentTarget.value })}
          />
        </div>
      ))}
      {!readOnly && (
        <div>
          <ActionButton
            variant="default"
            leftSection={<Plus size={14} />}
            disabledReason={samples.length >= SAMPLES_MAX ? 'A template has at most 20 samples.' : undefined}
            onClick={add}
          >
            Add a sample
          </ActionButton>
        </div>
      )}
    </div>
  );
}
