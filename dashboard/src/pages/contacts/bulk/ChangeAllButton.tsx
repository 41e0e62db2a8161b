import { useState } from 'react';
import type { SegmentFilter } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';

const ChangeAll = lazyDialog(() => import('./ChangeAll.tsx').then((file) => file.ChangeAll));

interface Props {
  filter: SegmentFilter;
  /** The people it means, in words: "all on Customers". */
  of: string;
  label: string;
}

/** Opens the dialog that changes everybody who meets a filter. */
export function ChangeAllButton({ filter, of, label }: Props) {
  const [opened, setOpened] = useState(false);
  const whyNot = useWhyNot('contacts:write');
  return (
    <>
      <ActionButton variant="default" disabledReason={whyNot} onClick={() => setOpened(true)}>
        {label}
      </ActionButton>
      <ChangeAll opened={opened} onClose={() => setOpened(false)} filter={filter} of={of} />
    </>
  );
}
