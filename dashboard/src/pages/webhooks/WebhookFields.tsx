import { MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listDomainsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { allNewsletters } from '../../api/all-newsletters.ts';
import type { ApiForm } from '../../lib/use-api-form.ts';
import { FormGroup } from '../../ui/form/Form.tsx';
import { EventChecklist } from './EventChecklist.tsx';
import type { WebhookValues } from './webhook-form.ts';

/** So many are drawn at once; typing finds the others. */
const OPTIONS_MAX = 100;

/** The fields of an endpoint, for a new one and for a change. */
export function WebhookFields({ fields }: { fields: ApiForm<WebhookValues>['fields'] }) {
  const events = fields.getInputProps('events');
  const newsletters = useQuery(allNewsletters);
  const names = newsletters.data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const unnamed = fields.values.newsletter_ids.filter((id) => !names.some(({ value }) => value === id));
  const domains = useQuery(listDomainsOptions());
  const hosts = domains.data?.data.map(({ id, domain }) => ({ value: id, label: domain })) ?? [];
  const unlisted = fields.values.domain_ids.filter((id) => !hosts.some(({ value }) => value === id));
  return (
    <>
      <FormGroup title="Endpoint">
        <TextInput
          label="URL"
          description="Posthorn posts the events here. https and a public address; on your own machine http://localhost."
          placeholder="https://example.com/webhooks"
          type="url"
          spellCheck={false}
          {...fields.getInputProps('url')}
        />
        <TextInput label="Description" placeholder="Bounces of the web shop" {...fields.getInputProps('description')} />
      </FormGroup>
      <FormGroup title="Events" description="The endpoint receives only the types that are checked.">
        <EventChecklist value={fields.values.events} onChange={events.onChange} error={events.error} />
      </FormGroup>
      <FormGroup title="Filters" description="Only events of these. Empty: of all, and those that belong to none.">
        <MultiSelect
          label="Newsletters"
          placeholder={fields.values.newsletter_ids.length === 0 ? 'All newsletters' : ''}
          data={[...names, ...unnamed.map((id) => ({ value: id, label: id }))]}
          searchable
          clearable
          limit={OPTIONS_MAX}
          nothingFoundMessage="No newsletter has this name."
          {...fields.getInputProps('newsletter_ids')}
        />
        <MultiSelect
          label="Domains"
          placeholder={fields.values.domain_ids.length === 0 ? 'All domains' : ''}
          data={[...hosts, ...unlisted.map((id) => ({ value: id, label: id }))]}
          searchable
          clearable
          limit={OPTIONS_MAX}
          nothingFoundMessage="No domain has this name."
          {...fields.getInputProps('domain_ids')}
        />
      </FormGroup>
    </>
  );
}
