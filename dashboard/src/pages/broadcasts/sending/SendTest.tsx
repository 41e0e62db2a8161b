import { sendTestOfBroadcast } from '../../../api/generated/sdk.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { SendTestButton } from '../../../ui/form/SendTestButton.tsx';
import { toastDone } from '../../../ui/toasts.tsx';

export function SendTest({ id, held }: { id: string; held?: string | undefined }) {
  const { me } = useSession();
  const roleReason = useWhyNot('broadcasts:send');
  const write = useWrite({
    call: (to: string) => sendTestOfBroadcast({ path: { id }, body: { to }, throwOnError: true }),
    changes: ['listEmails', 'listCapturedEmails'],
    onDone: ({ to }) => toastDone(`A test is on its way to ${to}.`),
  });
  return <SendTestButton own={me.email} write={write} disabledReason={roleReason ?? held} />;
}
