import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { pb } from '../../../lib/paths.ts';
import { DomainHelp } from '../../../ui/form/DomainHelp.tsx';
import classes from '../automations.module.css';
import { VariableInput } from '../../../ui/writing/VariableInput.tsx';
import { TemplateSelect } from '../TemplateSelect.tsx';
import type { StepFieldsProps } from './step-fields.ts';

export function SendEmailStep({ config, faults, readOnly, onChange }: StepFieldsProps) {
  const { template_id: template = '', template_version: version } = config;
  return (
    <>
      <TemplateSelect
        label="Template"
        description={
          template === '' ? undefined : (
            <>
              <a href={pb.template(template)}>Look at it</a>.
            </>
          )
        }
        value={template}
        error={faults['template_id']}
        readOnly={readOnly}
        onChange={(id) => onChange({ template_id: id, template_version: null })}
      />
      <NumberInput
        label="Version"
        description="Empty: the one that is published when the step is reached."
        placeholder="The published one"
        value={version ?? ''}
        onChange={(next) => onChange({ template_version: typeof next === 'number' ? next : null })}
        error={faults['template_version']}
        readOnly={readOnly}
        allowDecimal={false}
        min={1}
      />
      <div className={classes['two']}>
        <VariableInput
          label="Subject"
          placeholder="That of the template"
          value={config.subject ?? ''}
          onChange={(event) => onChange({ subject: event.currentTarget.value })}
          error={faults['subject']}
          readOnly={readOnly}
          maxLength={998}
        />
        <TextInput
          label="From"
          placeholder="That of the template"
          value={config.from ?? ''}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
          error={faults['from']}
          readOnly={readOnly}
          maxLength={998}
        />
      </div>
      <DomainHelp refusal={faults['from']} />
      <Checkbox
        size="xs"
        label="Transactional"
        description="It is also sent to people who have unsubscribed, such as a receipt. Suppressed addresses never get mail."
        checked={config.transactional ?? false}
        onChange={(event) => !readOnly && onChange({ transactional: event.currentTarget.checked })}
        aria-readonly={readOnly}
        error={faults['transactional']}
      />
    </>
  );
}
