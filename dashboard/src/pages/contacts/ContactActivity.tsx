import { Mail } from 'lucide-react';
import { listContactActivityOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Contact, EmailSummary } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { EMAIL_STATUSES } from '../../lib/mail/email-status.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { TimeLine } from '../../ui/data/TimeLine.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import classes from './contacts.module.css';

const SOURCES: Readonly<Partial<Record<NonNullable<EmailSummary['source']>, string>>> = {
  issue: 'An issue of a newsletter',
  broadcast: 'A broadcast',
  scheduled: 'A scheduled email',
  relay: 'Through the SMTP relay',
  confirmation: 'A confirmation email',
  test: 'A test',
};

/** The emails to a contact, newest first, also to addresses that it had before. */
export function ContactActivity({ contact: { id } }: { contact: Contact }) {
  const list = useList((page) => listContactActivityOptions({ path: { id }, query: page }));
  if (list.error !== null) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (list.rows?.length === 0) {
    return (
      <EmptyState icon={<Mail size={20} />} title="No email was sent to this contact">
        Each email to them stands here with its outcome, until its retention ends.
      </EmptyState>
    );
  }
  return (
    <>
      <TimeLine
        label="Emails, newest first"
        entries={(list.rows ?? []).map((email) => ({
          id: email.id,
          at: email.created_at,
          tone: EMAIL_STATUSES[email.status].tone,
          title: <a href={pb.email(email.id)}>{shownSubject(email.subject)}</a>,
          detail: [EMAIL_STATUSES[email.status].label, SOURCES[email.source ?? 'api']]
            .filter((part) => part !== undefined)
            .join(' · '),
        }))}
      />
      <div className={classes['pages']}>
        {list.onFirst !== undefined && (
          <ActionButton variant="default" size="xs" onClick={list.onFirst}>
            Newest
          </ActionButton>
        )}
        {list.onNext !== undefined && (
          <ActionButton variant="default" size="xs" onClick={list.onNext}>
            Older
          </ActionButton>
        )}
      </div>
    </>
  );
}
