import { Skeleton, Textarea, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useWhyNot } from '../../../api/session.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { FormProblem } from '../../../ui/form/FormProblem.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { VariableInput } from '../../../ui/writing/VariableInput.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { STATES, titleOf, whyClosed } from '../scheduled-state.ts';
import classes from '../scheduled.module.css';
import { type SavedEmail, useContentForm } from './use-content-form.ts';

const MailPreview = lazyPart(
  () => import('../../../ui/mail-preview/MailPreview.tsx').then((file) => file.MailPreview),
  <Skeleton height={320} />,
);
const ContentConflict = lazyPart(() => import('./ContentConflict.tsx').then((file) => file.ContentConflict));

/** The content is written: saved when asked, over the version that was read, with the rendered HTML beside it. */
export function EditScheduled({ opened }: { opened: SavedEmail }) {
  const router = useRouter();
  const { id } = opened.email;
  const [view, setView] = usePreviewView();
  const writing = useContentForm(opened, () => {
    toastDone('Saved. Its time stays as it is.');
    router.history.push(pb.scheduledEmail(id));
  });
  const { fields, saved, change, isDirty, isSaving, conflict } = writing;
  const { email } = saved;
  const roleReason = useWhyNot('scheduled:write');
  const closed = roleReason ?? whyClosed(email.status);
  const readOnly = closed !== undefined;
  const hasTemplate = email.template_id !== null;
  const chooses = conflict === undefined ? undefined : 'Choose the version that stands first.';
  const held = closed ?? chooses ?? (isDirty ? undefined : 'Nothing is changed.');
  useHotkeys([['mod+S', () => held === undefined && writing.save()]], [], true);
  const text = (name: 'from' | 'to' | 'cc' | 'bcc' | 'replyTo', label: string) => (
    <TextInput label={label} readOnly={readOnly} {...fields.getInputProps(name)} />
  );
  const line = (name: 'subject' | 'preheader', label: string) => (
    <VariableInput label={label} readOnly={readOnly} {...fields.getInputProps(name)} value={fields.values[name]} />
  );
  const source = (name: 'html' | 'text' | 'variables', label: string, description?: string) => (
    <Textarea
      className={classes['source'] ?? ''}
      label={label}
      {...(description === undefined ? {} : { description })}
      autosize
      minRows={4}
      maxRows={20}
      spellCheck={false}
      readOnly={readOnly}
      {...fields.getInputProps(name)}
    />
  );
  return (
    <>
      <PageHeader
        title="Edit the content"
        crumbs={[
          { label: 'Scheduled emails', href: pb.scheduled() },
          { label: titleOf(email), href: pb.scheduledEmail(id) },
        ]}
        badge={<StatusBadge tone={STATES[email.status].tone}>{STATES[email.status].label}</StatusBadge>}
        actions={
          <>
            <CurlButton call={{ method: 'PATCH', path: `/v1/scheduled/${id}`, body: change }} />
            <ActionButton variant="default" href={pb.scheduledEmail(id)}>
              Back
            </ActionButton>
            <ActionButton loading={isSaving} disabledReason={held} onClick={() => writing.save()}>
              Save
            </ActionButton>
          </>
        }
      />
      <UnsavedGuard when={isDirty && !isSaving && conflict === undefined} what="Your changes are not saved." />
      {closed !== undefined && <Notice tone="info">{closed}</Notice>}
      <FormProblem error={writing.problem} />
      {conflict !== undefined && (
        <ContentConflict mine={fields.values} theirs={conflict} onMine={writing.save} onTheirs={writing.take} />
      )}
      <div className={classes['desk']}>
        <div className={classes['stack']}>
          {line('subject', 'Subject')}
          {line('preheader', 'Preheader')}
          {text('from', 'From')}
          {text('to', 'To')}
          {text('cc', 'Cc')}
          {text('bcc', 'Bcc')}
          {text('replyTo', 'Reply-To')}
          {hasTemplate ? (
            source('variables', 'Variables', 'The data for the template, as an object in JSON.')
          ) : (
            <>
              {source('html', 'HTML')}
              {source('text', 'Text', 'Made from the HTML when it is empty.')}
            </>
          )}
        </div>
        <div className={classes['beside']}>
          {hasTemplate && email.template_id !== null && (
            <Notice tone="info">
              The texts are those of <a href={pb.template(email.template_id)}>its template</a>, in the version that was
              published when it was scheduled.
            </Notice>
          )}
          {!hasTemplate && fields.values.html.trim() !== '' && (
            <MailPreview html={fields.values.html} label="The email as written" view={view} onViewChange={setView} />
          )}
          {email.attachments.length > 0 && (
            <p className={classes['when']}>
              It keeps its files: {email.attachments.map(({ filename }) => filename).join(', ')}. Another list of files
              is given by the API.
            </p>
          )}
        </div>
      </div>
    </>
  );
}
