import { deleteDomain } from '../../api/generated/sdk.gen.ts';
import type { Domain } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { isSandbox } from './domain-state.ts';

interface Props {
  domain: Domain;
  roleReason: string | undefined;
  onDeleted: () => void;
}

export function DeleteDomain({ domain, roleReason, onDeleted }: Props) {
  const [{ dialog }, setUrl] = useUrlState(['dialog']);
  const whyNot =
    roleReason ??
    (isSandbox(domain) ? 'This installation sends its own mail from this domain, so it stays.' : undefined);
  const write = useWrite({
    call: () => deleteDomain({ path: { id: domain.id }, throwOnError: true }),
    changes: ['listDomains'],
    onDone: () => {
      toastDone(`${domain.domain} is deleted.`);
      onDeleted();
    },
    onError: toastError,
  });
  return (
    <>
      <ActionButton
        variant="danger"
        disabledReason={whyNot}
        onClick={() => setUrl({ dialog: 'delete' }, { push: true })}
      >
        Delete
      </ActionButton>
      <ConfirmTyped
        opened={dialog === 'delete' && whyNot === undefined}
        onClose={() => setUrl({ dialog: undefined })}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title={`Delete ${domain.domain}?`}
        expected={domain.domain}
        of="the name of the domain"
        confirm="Delete"
        danger
      >
        Nothing can be sent from it from this moment on. Emails from it that wait are refused, issues that are being
        sent from it fail, and newsletters with a sender there cannot send. Mail to it is refused, and mail that was
        received for it is deleted. Its keys are destroyed: if you add it again, you publish new records. Its records in
        your DNS stay there until you remove them.
      </ConfirmTyped>
    </>
  );
}
