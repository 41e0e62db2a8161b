import { Textarea, TextInput } from '@mantine/core';
import type { ApiForm } from '../../lib/use-api-form.ts';
import { FormGroup } from '../../ui/form/Form.tsx';
import type { KeyValues } from './key-form.ts';
import classes from './keys.module.css';
import { ScopeChecklist } from './ScopeChecklist.tsx';

const TIERS = [
  { name: 'limits.hourly', label: 'Each hour' },
  { name: 'limits.daily', label: 'Each day' },
  { name: 'limits.monthly', label: 'Each month' },
] as const;

/** The fields of a key, for a new one and for a change. */
export function KeyFields({ fields }: { fields: ApiForm<KeyValues>['fields'] }) {
  const scopes = fields.getInputProps('scopes');
  return (
    <>
      <FormGroup title="Name">
        <TextInput
          aria-label="Name"
          placeholder="Web shop, production"
          maxLength={200}
          {...fields.getInputProps('name')}
        />
      </FormGroup>
      <FormGroup title="Scopes" description="What the key may do. You can give it no more than you may do yourself.">
        <ScopeChecklist value={fields.values.scopes} onChange={scopes.onChange} error={scopes.error} />
      </FormGroup>
      <FormGroup
        title="Limits"
        description="Send requests that the key may make, in hours, days and months of UTC. 0 is no limit."
      >
        <div className={classes['limits']}>
          {TIERS.map(({ name, label }) => (
            <TextInput
              key={name}
              label={label}
              inputMode="numeric"
              placeholder="Default"
              {...fields.getInputProps(name)}
            />
          ))}
        </div>
      </FormGroup>
      <FormGroup title="Restrictions">
        <Textarea
          label="Networks"
          description="Addresses and ranges that may use the key, one in each line. Empty: every network."
          placeholder="203.0.113.0/24"
          autosize
          minRows={2}
          spellCheck={false}
          {...fields.getInputProps('allowed_ips')}
        />
        <TextInput
          label="Expires"
          description="In your time zone. Empty: never."
          type="datetime-local"
          {...fields.getInputProps('expires_at')}
        />
      </FormGroup>
    </>
  );
}
