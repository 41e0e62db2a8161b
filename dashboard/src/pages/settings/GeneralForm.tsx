import { Switch, Textarea, TextInput } from '@mantine/core';
import { updateWorkspace } from '../../api/generated/sdk.gen.ts';
import type { Workspace } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { SaveForm } from '../../ui/form/WriteForm.tsx';
import { ZoneField } from '../../ui/form/ZoneField.tsx';
import { Section } from '../../ui/Section.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { changeOf, type GeneralValues, valuesOf } from './general-form.ts';

/** All that a workspace lets its people change. */
export function GeneralForm({ workspace }: { workspace: Workspace }) {
  const whyNot = useWhyNot('workspace:manage');
  const saved = valuesOf(workspace);
  const form = useApiForm<GeneralValues>({ initialValues: saved });
  const { fields } = form;
  const { id } = workspace;
  const write = useWrite({
    call: (values: GeneralValues) =>
      updateWorkspace({ path: { id }, body: changeOf(values, saved), throwOnError: true }),
    changes: ['getWorkspace', 'listWorkspaces', 'session', 'getAnalytics', 'listSecurityEvents'],
    onDone: (next) => {
      fields.setInitialValues(valuesOf(next));
      fields.setValues(valuesOf(next));
      toastDone('The settings are saved.');
    },
    onError: form.fail,
  });
  const change = changeOf(fields.values, saved);
  return (
    <Section title="General">
      <SaveForm
        label="General settings"
        form={form}
        write={write}
        isDirty={Object.keys(change).length > 0}
        disabledReason={whyNot}
        more={<CurlButton call={{ method: 'PATCH', path: `/workspaces/${id}`, body: change, as: 'person' }} />}
      >
        <TextInput
          label="Name"
          description="In invitations and in the mail that this workspace gets from Posthorn."
          maxLength={200}
          {...fields.getInputProps('name')}
        />
        <ZoneField
          label="Time zone"
          description="Days of the statistics begin in it. Times are shown in the zone of each person."
          {...fields.getInputProps('timezone')}
          value={fields.values.timezone}
        />
        <Textarea
          label="Postal address"
          description="In the footer of broadcasts. The law of many countries asks for it in commercial mail."
          maxLength={500}
          autosize
          minRows={2}
          maxRows={5}
          {...fields.getInputProps('postal_address')}
        />
        <Switch
          size="xs"
          label="Count opens"
          description="With a small picture, in sends that do not set it themselves. Emails that were accepted before stay as they are."
          {...fields.getInputProps('track_opens', { type: 'checkbox' })}
        />
        <Switch
          size="xs"
          label="Count clicks"
          description="Links lead through this server, in sends that do not say."
          {...fields.getInputProps('track_clicks', { type: 'checkbox' })}
        />
      </SaveForm>
    </Section>
  );
}
