import { useState } from 'react';
import type { Suppression } from '../../api/generated/types.gen.ts';
import { formatCount } from '../../lib/number.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { canBeUndone } from './reasons.ts';
import { useLift } from './use-lift.ts';

interface Props {
  rows: readonly Suppression[];
  onDone: () => void;
  disabledReason: string | undefined;
}

/** At once where it can be undone; otherwise after the exact number has been typed. */
export function LiftMany({ rows, onDone, disabledReason }: Props) {
  const [asks, setAsks] = useState(false);
  const lift = useLift(() => {
    setAsks(false);
    onDone();
  });
  const needsCare = rows.filter(({ reason }) => !canBeUndone(reason));
  return (
    <>
      <ActionButton
        variant="default"
        size="xs"
        loading={lift.isPending}
        disabledReason={disabledReason}
        onClick={() => (needsCare.length === 0 ? lift.mutate(rows) : setAsks(true))}
      >
        Allow mail again
      </ActionButton>
      <ConfirmTyped
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => lift.mutate(rows)}
        loading={lift.isPending}
        title="Allow mail to these addresses again?"
        expected={formatCount(rows.length)}
        of="the number of addresses"
        confirm="Allow mail again"
        danger
      >
        {needsCare.length} of {rows.length} were suppressed because of bounces or complaints. More of these harm your
        reputation with the provider, and this cannot be undone.
      </ConfirmTyped>
    </>
  );
}
