import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { updateWorkspace } from '../../api/generated/sdk.gen.ts';
import type { UpdateWorkspaceRequest, Workspace } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { zoneNames } from '../../lib/zone.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Section } from '../../ui/Section.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { changeOf, type GeneralValues, valuesOf } from './general-form.ts';

/** All that a workspace lets its people change. */
export function GeneralForm({ workspace }: { workspace: Workspace }) {
  const whyNot = useWhyNot('workspace:manage');
  const saved = valuesOf(workspace);
  const { fields, fail, problem, clear } = useApiForm<GeneralValues>({ initialValues: saved });
  const { id } = workspace;
  const write = useWrite({
    call: (body: UpdateWorkspaceRequest) => updateWorkspace({ path: { id }, body, throwOnError: true }),
    changes: ['getWorkspace', 'listWorkspaces', 'session', 'getAnalytics', 'listSecurityEvents'],
    onDone: (next) => {
      fields.setInitialValues(valuesOf(next));
      fields.setValues(valuesOf(next));
      toastDone('The settings are saved.');
    },
    onError: fail,
  });
  const change = changeOf(fields.values, saved);
  const isDirty = Object.keys(change).length > 0;
  return (
    <Section title="General">
      <Form
        label="General settings"
        problem={problem}
        onSubmit={fields.onSubmit((values) => {
          clear();
          write.mutate(changeOf(values, saved));
        })}
        actions={
          <>
            <ActionButton
              type="submit"
              loading={write.isPending}
              disabledReason={whyNot ?? (isDirty ? undefined : 'Nothing is changed.')}
            >
              Save
            </ActionButton>
            <CurlButton call={{ method: 'PATCH', path: `/workspaces/${id}`, body: change, as: 'person' }} />
          </>
        }
      >
        <TextInput
          label="Name"
          description="In invitations and in the mail that this workspace gets from Posthorn."
          maxLength={200}
          {...fields.getInputProps('name')}
        />
        <Select
          label="Time zone"
          description="Days of the statistics begin in it. Times are shown in the zone of each person."
          data={[...zoneNames(fields.values.timezone)]}
          searchable
          limit={100}
          allowDeselect={false}
          {...fields.getInputProps('timezone')}
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
          description="By a small picture, in sends that do not say. Emails that were accepted before stay as they are."
          {...fields.getInputProps('track_opens', { type: 'checkbox' })}
        />
        <Switch
          size="xs"
          label="Count clicks"
          description="Links lead through this server, in sends that do not say."
          {...fields.getInputProps('track_clicks', { type: 'checkbox' })}
        />
      </Form>
      <UnsavedGuard when={isDirty && !write.isPending && whyNot === undefined} />
    </Section>
  );
}
