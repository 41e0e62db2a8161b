import { redirectBroadcastLink } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import type { LinkRow } from '../../../ui/results/LinkTable.tsx';
import { RedirectButton } from '../../../ui/results/RedirectButton.tsx';
import { toastDone } from '../../../ui/toasts.tsx';

export function RedirectBroadcastLink({ id, link }: { id: string; link: LinkRow }) {
  const write = useWrite({
    call: (body: { from: string; to: string }) => redirectBroadcastLink({ path: { id }, body, throwOnError: true }),
    changes: ['listBroadcastLinks', 'getBroadcast'],
    onDone: () => toastDone('The link is redirected in a few seconds.'),
  });
  return <RedirectButton link={link} write={write} disabledReason={useWhyNot('broadcasts:send')} />;
}
