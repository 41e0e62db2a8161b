import { useState } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import type { Write } from '../../lib/write.ts';
import { ActionButton } from '../ActionButton.tsx';
import type { LinkRow } from './LinkTable.tsx';

const RedirectDialog = lazyDialog(() => import('./RedirectDialog.tsx').then((file) => file.RedirectDialog));

interface Props {
  link: LinkRow;
  write: Write<{ from: string; to: string }>;
  disabledReason: string | undefined;
}

/** Lets a link of mail that has left lead elsewhere. */
export function RedirectButton({ link: { url, leadsTo = null }, write, disabledReason }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const open = () => {
    write.reset();
    setOpen(true);
  };
  return (
    <>
      <ActionButton
        variant="subtle"
        size="compact-sm"
        aria-label={`Redirect ${url}`}
        disabledReason={disabledReason}
        onClick={open}
      >
        Redirect
      </ActionButton>
      <RedirectDialog
        opened={isOpen}
        link={{ url, leadsTo }}
        problem={write.error ?? undefined}
        loading={write.isPending}
        onRedirect={(asked) => write.mutate(asked, { onSuccess: close })}
        onClose={close}
      />
    </>
  );
}
