import { sendEmail } from '../../api/generated/sdk.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';

/** Every home workspace may send from it; its mail is captured. */
const FROM = 'Posthorn <hello@posthorn.test>';

const htmlOf = (link: string) => `<h1 style="font:600 24px sans-serif">It works</h1>
<p style="font:16px/1.5 sans-serif">This is your first email. Posthorn took it, gave it to its provider, and keeps what
happens to it: deliveries, opens, clicks, bounces and complaints.</p>
<p style="font:16px/1.5 sans-serif"><a href="${link}">The reference of the API</a></p>`;

/** One click to a first email. A real provider would refuse the test domain, so the button is for captured mail. */
export function SendFirstEmail({ isDone, isCaptured }: { isDone: boolean; isCaptured: boolean }) {
  const { me } = useSession();
  const whyNot = useWhyNot('emails:send');
  const send = useWrite({
    call: () =>
      sendEmail({
        body: { from: FROM, to: [me.email], subject: 'My first email', html: htmlOf(`${window.location.origin}/docs`) },
      }),
    changes: ['getOverview', 'listEmails', 'listCapturedEmails', 'getAnalytics'],
    onDone: () => toastDone('Your first email is on its way to the Outbox.'),
    onError: toastError,
  });
  if (isDone)
    return (
      <ActionButton variant="subtle" size="xs" href={isCaptured ? pb.outbox() : pb.emails()}>
        {isCaptured ? 'See it in the Outbox' : 'See the emails'}
      </ActionButton>
    );
  return (
    <ActionButton
      size="xs"
      loading={send.isPending}
      disabledReason={
        whyNot ?? (isCaptured ? undefined : 'A provider is named: send from a domain of yours by the API.')
      }
      onClick={() => send.mutate(undefined)}
    >
      Send a first email
    </ActionButton>
  );
}
