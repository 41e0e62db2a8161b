import { revokeApiKey, rotateApiKey, updateApiKey } from '../../api/generated/sdk.gen.ts';
import type { ApiKey, ApiKeyWithSecret } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { RotateForm } from '../../ui/form/RotateForm.tsx';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import { TypedButton } from '../../ui/TypedButton.tsx';
import { type KeyState, whyNotInState } from './key-state.ts';

const CHANGES = ['listApiKeys', 'getApiKey'];

interface Props {
  apiKey: ApiKey;
  state: KeyState;
  /** Why the person's role does not allow a change. */
  roleReason: string | undefined;
  onRotated: (made: ApiKeyWithSecret) => void;
}

export function KeyActions({ apiKey, state, roleReason, onRotated }: Props) {
  const [{ dialog }, setUrl] = useUrlState(['dialog']);
  const close = () => setUrl({ dialog: undefined });
  const why = (action: 'change' | 'rotate' | 'revoke') => roleReason ?? whyNotInState(action, state);
  const rotates = dialog === 'rotate' && why('rotate') === undefined;
  return (
    <>
      <ToggleKey apiKey={apiKey} disabledReason={why('change')} />
      <ActionButton variant="default" disabledReason={why('rotate')} onClick={() => setUrl({ dialog: 'rotate' })}>
        Rotate
      </ActionButton>
      <Revoke apiKey={apiKey} disabledReason={why('revoke')} />
      <Dialog opened={rotates} onClose={close} title={`Rotate ${apiKey.name}`} size="sm">
        <Rotate apiKey={apiKey} onRotated={onRotated} onClose={close} />
      </Dialog>
    </>
  );
}

function ToggleKey({ apiKey, disabledReason }: { apiKey: ApiKey; disabledReason: string | undefined }) {
  const write = useWrite({
    call: (enabled: boolean) => updateApiKey({ path: { id: apiKey.id }, body: { enabled }, throwOnError: true }),
    changes: CHANGES,
    onDone: (_key, enabled) => {
      if (enabled) toastDone('The key works again.');
      else toastUndo('Requests with this key are refused now.', () => write.mutate(true));
    },
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      disabledReason={disabledReason}
      loading={write.isPending}
      onClick={() => write.mutate(!apiKey.enabled)}
    >
      {apiKey.enabled ? 'Disable' : 'Enable'}
    </ActionButton>
  );
}

interface RotateProps {
  apiKey: ApiKey;
  onRotated: (made: ApiKeyWithSecret) => void;
  onClose: () => void;
}

function Rotate({ apiKey, onRotated, onClose }: RotateProps) {
  const write = useWrite({
    call: (seconds: number) =>
      rotateApiKey({ path: { id: apiKey.id }, body: { grace_seconds: seconds }, throwOnError: true }),
    changes: CHANGES,
    onDone: (made) => {
      onClose();
      onRotated(made);
    },
  });
  return (
    <RotateForm
      label="Rotate the key"
      question="When does the old key stop?"
      description="You get a new key with the same rights. Until then both work."
      atOnce="At once"
      problem={write.error ?? undefined}
      loading={write.isPending}
      onRotate={(seconds) => write.mutate(seconds)}
      onCancel={onClose}
    />
  );
}

function Revoke({ apiKey, disabledReason }: { apiKey: ApiKey; disabledReason: string | undefined }) {
  const write = useWrite({
    call: () => revokeApiKey({ path: { id: apiKey.id }, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone(`${apiKey.name} is revoked.`),
    onError: toastError,
  });
  return (
    <TypedButton
      label="Revoke"
      write={write}
      disabledReason={disabledReason}
      title={`Revoke ${apiKey.name}?`}
      expected={apiKey.name}
      of="the name of the key"
      confirm="Revoke"
    >
      Requests with this key are refused at once, and it can never be used again. To stop it for a while, disable it.
    </TypedButton>
  );
}
