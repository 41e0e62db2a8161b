import { Radio, Stack } from '@mantine/core';
import { ListSelect, NewsletterSelect } from '../../AudienceSelect.tsx';
import type { StepFieldsProps } from '../step-fields.ts';

/** A newsletter, or a list of contacts: the step names one of them. */
export function UnsubscribeStep({ config, faults, readOnly, onChange }: StepFieldsProps) {
  const ofNewsletter = config.list_id === undefined;
  const shown = { readOnly, error: faults['list_id'] ?? faults['newsletter_id'] };
  return (
    <>
      <Radio.Group
        label="Unsubscribe from"
        value={ofNewsletter ? 'newsletter' : 'list'}
        onChange={(next) =>
          onChange(
            next === 'list' ? { list_id: '', newsletter_id: undefined } : { newsletter_id: '', list_id: undefined },
          )
        }
        readOnly={readOnly}
      >
        <Stack gap={8} mt={6}>
          <Radio size="xs" value="newsletter" label="A newsletter" disabled={readOnly && !ofNewsletter} />
          <Radio size="xs" value="list" label="A list of contacts" disabled={readOnly && ofNewsletter} />
        </Stack>
      </Radio.Group>
      {ofNewsletter ? (
        <NewsletterSelect
          {...shown}
          value={config.newsletter_id ?? ''}
          onChange={(id) => onChange({ newsletter_id: id })}
        />
      ) : (
        <ListSelect {...shown} value={config.list_id ?? ''} onChange={(id) => onChange({ list_id: id })} />
      )}
    </>
  );
}
