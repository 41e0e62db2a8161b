import { useState } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import type { Write } from '../../lib/write.ts';
import { ActionButton } from '../ActionButton.tsx';

const CorrectionDialog = lazyDialog(() => import('./CorrectionDialog.tsx').then((file) => file.CorrectionDialog));

interface Props {
  stats: { sent: number; by_version: readonly { content_version: number; sent: number }[] };
  /** Of those who were sent one version; null: of all. */
  write: Write<number | null>;
  disabledReason: string | undefined;
}

/** Makes a draft for those who were sent a mailing, or one version of it. */
export function CorrectionButton({ stats, write, disabledReason }: Props) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    write.reset();
    setOpen(true);
  };
  return (
    <>
      <ActionButton variant="default" disabledReason={disabledReason} onClick={open}>
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
