import { Checkbox, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { listUsersOfTemplateOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { deleteTemplate } from '../../api/generated/sdk.gen.ts';
import type { Template } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { toastDone } from '../../ui/toasts.tsx';
import { UserLinks } from './UsedByTab.tsx';

interface Props {
  template: Pick<Template, 'id' | 'name'>;
  onClose: () => void;
}

/** The form of `DeleteTemplate`. */
export function DeleteTemplateDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Delete this template?" size="md">
      <DeleteForm {...props} />
    </LoadedDialog>
  );
}

function DeleteForm({ template: { id, name }, onClose }: Props) {
  const router = useRouter();
  const [force, setForce] = useState(false);
  const users = useQuery({ ...listUsersOfTemplateOptions({ path: { id } }), staleTime: 0 });
  const write = useWrite({
    call: () => deleteTemplate({ path: { id }, query: force ? { force: 'true' } : {}, throwOnError: true }),
    changes: ['listTemplates', 'listUsersOfTemplate'],
    onDone: () => {
      toastDone(`“${name}” is deleted.`);
      router.history.push(pb.templates());
    },
    onError: () => void users.refetch(),
  });
  const made = users.data?.templates ?? [];
  const held = made.length > 0 && !force ? 'Other templates are made of it.' : undefined;
  return (
    <Form
      label="Delete this template"
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        write.mutate(undefined);
      }}
      actions={
        <>
          <ActionButton
            type="submit"
            variant="danger"
            loading={write.isPending}
            disabledReason={users.isPending ? 'Wait until its users are known.' : held}
          >
            Delete
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <p style={{ margin: 0 }}>
        “{name}” and its versions are deleted for good, and sends that name it are refused. Mail that was accepted is
        not touched.
      </p>
      {users.isPending && <Skeleton height={40} />}
      {users.error !== null && <ErrorState error={users.error} onRetry={() => void users.refetch()} />}
      {made.length > 0 && (
        <>
          <p style={{ margin: 0 }}>{counted(made.length, 'template is', 'templates are')} made of it:</p>
          <UserLinks users={made} />
          <Checkbox
            label="Delete it all the same"
            description="Their published versions keep their copies. Their next version needs another."
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
        </>
      )}
    </Form>
  );
}
