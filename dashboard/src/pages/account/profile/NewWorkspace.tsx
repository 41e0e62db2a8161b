import { TextInput } from '@mantine/core';
import { chooseWorkspace } from '../../../api/active-workspace.ts';
import { createWorkspace } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';

/** Another workspace, which the person owns and enters. Its time zone is the one of the browser. */
export function NewWorkspace() {
  const [{ dialog }, setUrl] = useUrlState(['dialog']);
  const { fields, fail, problem, clear } = useApiForm({
    initialValues: { name: '' },
    validate: { name: (text) => (text.trim() === '' ? 'Give it a name.' : null) },
  });
  const write = useWrite({
    call: (name: string) =>
      createWorkspace({
        body: { name, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
        throwOnError: true,
      }),
    changes: [],
    onDone: ({ id }) => {
      chooseWorkspace(id);
      // As everywhere: another workspace is a new load of the page.
      window.location.assign(pb.overview());
    },
    onError: fail,
  });
  const close = () => {
    fields.reset();
    clear();
    setUrl({ dialog: undefined });
  };
  return (
    <>
      <ActionButton variant="default" size="xs" onClick={() => setUrl({ dialog: 'workspace' })}>
        Create a workspace
      </ActionButton>
      <Dialog opened={dialog === 'workspace'} onClose={close} title="Create a workspace">
        <Form
          label="Create a workspace"
          problem={problem}
          onSubmit={fields.onSubmit(({ name }) => {
            clear();
            write.mutate(name.trim());
          })}
          actions={
            <>
              <ActionButton type="submit" loading={write.isPending}>
                Create
              </ActionButton>
              <ActionButton variant="default" onClick={close}>
                Cancel
              </ActionButton>
            </>
          }
        >
          <TextInput
            label="Name"
            description="It has its own domains, newsletters, keys and members. You are its owner."
            maxLength={200}
            data-autofocus
            {...fields.getInputProps('name')}
          />
        </Form>
      </Dialog>
    </>
  );
}
