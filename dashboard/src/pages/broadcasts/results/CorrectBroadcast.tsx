import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { correctBroadcast } from '../../../api/generated/sdk.gen.ts';
import type { Broadcast } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { BROADCAST_CHANGES } from '../broadcast-state.ts';

const CorrectionDialog = lazyDialog(() =>
  import('../../../ui/results/CorrectionDialog.tsx').then((file) => file.CorrectionDialog),
);

/** A draft for those who were sent the broadcast, or one version of it. */
export function CorrectBroadcast({ broadcast: { id, stats } }: { broadcast: Broadcast }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite({
    call: (version: number | null) =>
      correctBroadcast({ path: { id }, body: { content_version: version }, throwOnError: true }),
    changes: BROADCAST_CHANGES,
    onDone: (made) => router.history.push(pb.broadcastEdit(made.id)),
  });
  return (
    <>
      <ActionButton variant="default" disabledReason={useWhyNot('broadcasts:write')} onClick={() => setOpen(true)}>
        Write a correction
      </ActionButton>
      <CorrectionDialog
        opened={isOpen}
        versions={stats.by_version}
        sent={stats.sent}
        problem={write.error ?? undefined}
        loading={write.isPending}
        onWrite={write.mutate}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
