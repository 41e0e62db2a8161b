import { Text } from '@mantine/core';
import { chooseWorkspace } from '../../../api/active-workspace.ts';
import { deleteAccount } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { Section } from '../../../ui/Section.tsx';
import { NO_PROOF, type Proof, ProofFields, proofOf, validateProof } from '../ProofFields.tsx';

/** The server refuses it to the last owner of a workspace, and names the workspace. */
export function DeleteAccount({ email, withCode }: { email: string; withCode: boolean }) {
  const [{ dialog }, setUrl] = useUrlState(['dialog']);
  const form = useApiForm({
    initialValues: NO_PROOF,
    validate: validateProof(withCode),
  });
  const { fields } = form;
  const write = useWrite({
    call: (proof: Proof) => deleteAccount({ body: proofOf(proof), throwOnError: true }),
    changes: [],
    onDone: () => {
      chooseWorkspace(undefined);
      // A new load of the page, so that nothing of the account stays behind.
      window.location.assign(pb.signIn());
    },
    onError: form.fail,
  });
  const close = () => {
    fields.reset();
    form.clear();
    setUrl({ dialog: undefined });
  };
  return (
    <Section title="Delete the account" plain>
      <Text size="sm" mb="sm" c="dimmed">
        You leave every workspace and are signed out everywhere. What you have made stays with the workspaces.
      </Text>
      <ActionButton variant="default" onClick={() => setUrl({ dialog: 'delete' })}>
        Delete account
      </ActionButton>
      <Dialog opened={dialog === 'delete'} onClose={close} title={`Delete the account ${email}?`}>
        <WriteForm label="Delete the account" form={form} write={write} submit="Delete" variant="danger" cancel={close}>
          <Text size="sm">This cannot be undone. Somebody can invite you again.</Text>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <ProofFields fields={fields} withCode={withCode} autofocus />
        </WriteForm>
      </Dialog>
    </Section>
  );
}
