import { resumeConfirmations } from '../../api/generated/sdk.gen.ts';
import type { Newsletter } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';

export const hasObstacle = ({ confirmations_paused_at, from_email }: Newsletter): boolean =>
  confirmations_paused_at !== null || from_email === null;

/** The obstacles of the newsletter, each with the button that helps. */
export function NewsletterNotices({ newsletter }: { newsletter: Newsletter }) {
  return (
    <>
      {newsletter.confirmations_paused_at !== null && (
        <Paused id={newsletter.id} since={newsletter.confirmations_paused_at} />
      )}
      {newsletter.from_email === null && (
        <Notice
          tone="warn"
          action={
            <ActionButton size="xs" variant="default" href={pb.newsletterTab(newsletter.id, 'settings')}>
              Add a sender
            </ActionButton>
          }
        >
          This newsletter has no sender yet. People can sign up, but no issue can be sent.
        </Notice>
      )}
    </>
  );
}

function Paused({ id, since }: { id: string; since: string }) {
  const whyNot = useWhyNot('newsletters:write');
  const write = useWrite({
    call: () => resumeConfirmations({ path: { id }, throwOnError: true }),
    changes: ['getNewsletter', 'listNewsletters'],
    onDone: () => toastDone('Confirmation emails are sent again.'),
    onError: toastError,
  });
  return (
    <Notice
      tone="bad"
      action={
        <ActionButton
          size="xs"
          variant="default"
          disabledReason={whyNot}
          loading={write.isPending}
          onClick={() => write.mutate(undefined)}
        >
          Resume
        </ActionButton>
      }
    >
      Confirmation emails are paused (<RelativeTime at={since} />
      ), because sign-ups came so fast that somebody probably abuses the form. Look at the newest subscribers before you
      resume.
    </Notice>
  );
}
