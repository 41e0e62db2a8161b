import { replayWebhookDelivery } from '../../../api/generated/sdk.gen.ts';
import type { WebhookDelivery } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';

interface Props {
  rows: readonly WebhookDelivery[];
  onDone: () => void;
  disabledReason: string | undefined;
}

/** Sends the chosen deliveries again, one after the other: a page has at most 50. */
export function ReplayMany({ rows, onDone, disabledReason }: Props) {
  const write = useWrite({
    call: async (chosen: readonly WebhookDelivery[]) => {
      for (const { id, webhook_id } of chosen)
        await replayWebhookDelivery({ path: { id: webhook_id, deliveryId: id }, throwOnError: true });
      return { data: chosen };
    },
    changes: ['listAllWebhookDeliveries', 'getWebhookDelivery'],
    onDone: (chosen) => {
      toastDone(`${counted(chosen.length, 'delivery is', 'deliveries are')} sent again.`);
      onDone();
    },
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      size="xs"
      loading={write.isPending}
      disabledReason={disabledReason}
      onClick={() => write.mutate(rows)}
    >
      Replay
    </ActionButton>
  );
}
