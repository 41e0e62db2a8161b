import { useState } from 'react';
import { redirectBroadcastLink } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import type { LinkRow } from '../../../ui/results/LinkTable.tsx';
import { toastDone } from '../../../ui/toasts.tsx';

const RedirectDialog = lazyDialog(() =>
  import('../../../ui/results/RedirectDialog.tsx').then((file) => file.RedirectDialog),
);

/** Lets a link of mail that has left lead elsewhere. */
export function RedirectBroadcastLink({ id, link }: { id: string; link: LinkRow }) {
  const [isOpen, setOpen] = useState(false);
  const write = useWrite({
    call: (body: { from: string; to: string }) => redirectBroadcastLink({ path: { id }, body, throwOnError: true }),
    changes: ['listBroadcastLinks', 'getBroadcast'],
    onDone: () => {
      setOpen(false);
      toastDone('The link is redirected in a few seconds.');
    },
  });
  return (
    <>
      <ActionButton
        variant="subtle"
        size="compact-sm"
        aria-label={`Redirect ${link.url}`}
        disabledReason={useWhyNot('broadcasts:send')}
        onClick={() => setOpen(true)}
      >
        Redirect
      </ActionButton>
      <RedirectDialog
        opened={isOpen}
        link={{ url: link.url, leadsTo: link.leadsTo ?? null }}
        problem={write.error ?? undefined}
        loading={write.isPending}
        onRedirect={write.mutate}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
