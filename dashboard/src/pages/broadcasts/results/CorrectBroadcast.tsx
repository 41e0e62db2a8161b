import { useRouter } from '@tanstack/react-router';
import { correctBroadcast } from '../../../api/generated/sdk.gen.ts';
import type { Broadcast } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { CorrectionButton } from '../../../ui/results/CorrectionButton.tsx';
import { BROADCAST_CHANGES } from '../broadcast-state.ts';

export function CorrectBroadcast({ broadcast: { id, stats } }: { broadcast: Broadcast }) {
  const router = useRouter();
  const write = useWrite({
    call: (version: number | null) =>
      correctBroadcast({ path: { id }, body: { content_version: version }, throwOnError: true }),
    changes: BROADCAST_CHANGES,
    onDone: (made) => router.history.push(pb.broadcastEdit(made.id)),
  });
  return <CorrectionButton stats={stats} write={write} disabledReason={useWhyNot('broadcasts:write')} />;
}
