import { deleteWebhook, updateWebhook } from '../../api/generated/sdk.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import { TypedButton } from '../../ui/TypedButton.tsx';

const ReplayRange = lazyDialog(() => import('./ReplayRange.tsx').then((file) => file.ReplayRange));
const TestWebhook = lazyDialog(() => import('./TestWebhook.tsx').then((file) => file.TestWebhook));

const CHANGES = ['listWebhooks', 'getWebhook'];

interface Props {
  webhook: Webhook;
  roleReason: string | undefined;
  onDeleted: () => void;
}

export function WebhookActions({ webhook, roleReason, onDeleted }: Props) {
  const [{ open }, setUrl] = useUrlState(['open']);
  const close = () => setUrl({ open: undefined });
  return (
    <>
      <ActionButton disabledReason={roleReason} onClick={() => setUrl({ open: 'test' }, { push: true })}>
        Send a test
      </ActionButton>
      <ActionButton
        variant="default"
        disabledReason={roleReason ?? (webhook.enabled ? undefined : 'Enable the endpoint first.')}
        onClick={() => setUrl({ open: 'replay' }, { push: true })}
      >
        Replay
      </ActionButton>
      {webhook.enabled && <ToggleWebhook webhook={webhook} disabledReason={roleReason} />}
      <DeleteWebhook webhook={webhook} roleReason={roleReason} onDeleted={onDeleted} />
      <TestWebhook webhook={webhook} opened={open === 'test'} onClose={close} />
      <ReplayRange webhook={webhook} opened={open === 'replay'} onClose={close} />
    </>
  );
}

export function ToggleWebhook({ webhook, disabledReason }: { webhook: Webhook; disabledReason: string | undefined }) {
  const write = useWrite({
    call: (enabled: boolean) => updateWebhook({ path: { id: webhook.id }, body: { enabled }, throwOnError: true }),
    changes: CHANGES,
    onDone: (_webhook, enabled) => {
      if (enabled) toastDone('The endpoint receives events again, also those that waited.');
      else toastUndo('The endpoint receives nothing now.', () => write.mutate(true));
    },
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      disabledReason={disabledReason}
      loading={write.isPending}
      onClick={() => write.mutate(!webhook.enabled)}
    >
      {webhook.enabled ? 'Disable' : 'Enable'}
    </ActionButton>
  );
}

function DeleteWebhook({ webhook, roleReason, onDeleted }: Props) {
  const write = useWrite({
    call: () => deleteWebhook({ path: { id: webhook.id }, throwOnError: true }),
    changes: ['listWebhooks', 'listAllWebhookDeliveries'],
    onDone: () => {
      toastDone('The endpoint is deleted.');
      onDeleted();
    },
    onError: toastError,
  });
  const { host } = new URL(webhook.url);
  return (
    <TypedButton
      label="Delete"
      write={write}
      disabledReason={roleReason}
      title="Delete this endpoint?"
      expected={host}
      of="the host of the endpoint"
      confirm="Delete"
    >
      Its secret and its deliveries are deleted too, and what waits is not sent. To stop it for a while, disable it.
    </TypedButton>
  );
}
