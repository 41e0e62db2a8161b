import { revokeDomainShares, shareDomain } from '../../../api/generated/sdk.gen.ts';
import type { Domain } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { exactTime } from '../../../lib/time.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';

const ShareDialog = lazyDialog(() => import('./ShareDialog.tsx').then((file) => file.ShareDialog));

interface Props {
  domain: Domain;
  whyNot: string | undefined;
}

/** Makes a link to the records for whoever can change the DNS, and shows it. */
export function ShareRecords({ domain, whyNot }: Props) {
  const write = useWrite({
    call: () => shareDomain({ path: { id: domain.id }, throwOnError: true }),
    changes: [],
    onError: toastError,
  });
  const shared = write.data?.data;
  const revoke = useWrite({
    call: () => revokeDomainShares({ path: { id: domain.id }, throwOnError: true }),
    changes: [],
    onDone: () => {
      write.reset();
      toastDone(`No link to the records of ${domain.domain} works any more.`);
    },
    onError: toastError,
  });
  return (
    <>
      <ActionButton
        variant="default"
        loading={write.isPending}
        disabledReason={whyNot}
        onClick={() => write.mutate(undefined)}
      >
        Share with whoever has your DNS
      </ActionButton>
      <ShareDialog
        opened={shared !== undefined}
        domain={domain.domain}
        url={shared?.url ?? ''}
        until={shared === undefined ? '' : exactTime(shared.expires_at)}
        onClose={write.reset}
        revoking={revoke.isPending}
        onRevoke={() => revoke.mutate(undefined)}
      />
    </>
  );
}
