import { TextInput } from '@mantine/core';
import type { StepFieldsProps } from './step-fields.ts';

export function WebhookStep({ config, faults, readOnly, onChange }: StepFieldsProps) {
  return (
    <TextInput
      label="Address"
      description="Gets the run as JSON, and answers 200 to 299. It may be called twice."
      placeholder="https://example.com/hook"
      type="url"
      value={config.url ?? ''}
      onChange={(event) => onChange({ url: event.currentTarget.value.trim() })}
      error={faults['url']}
      readOnly={readOnly}
      maxLength={2048}
    />
  );
}
