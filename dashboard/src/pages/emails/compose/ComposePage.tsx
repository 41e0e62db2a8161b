import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sendEmail } from '../../../api/generated/sdk.gen.ts';
import type { SendEmailRequest } from '../../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { SANDBOX_DOMAIN } from '../../../lib/mail/sandbox-domain.ts';
import { pb } from '../../../lib/paths.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { DomainHelp } from '../../../ui/form/DomainHelp.tsx';
import { SendLimitHelp } from '../../../ui/form/SendLimitHelp.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import classes from '../emails.module.css';
import { useOwnSender } from './use-own-sender.ts';

/** Of a refusal that belongs to no field, such as that by the quota of the workspace. */
const sentenceOf = (problem: unknown): string | undefined => (problem instanceof Error ? problem.message : undefined);

const SendLaterDialog = lazyDialog(() => import('./SendLaterDialog.tsx').then((file) => file.SendLaterDialog));

const HTML = '<h1>It works</h1>\n<p>This is my first email with <b>Posthorn</b>.</p>\n';
/** Every home workspace may send from it; a provider refuses its mail. */
const SANDBOX_SENDER = `Posthorn <hello@${SANDBOX_DOMAIN}>`;
const TEXT = 'It works.\n\nThis is my first email with Posthorn.\n';

interface Values extends Record<string, unknown> {
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

const bodyOf = ({ from, to, subject, html, text }: Values, isHtml: boolean): SendEmailRequest => ({
  from,
  to,
  subject,
  ...(isHtml ? { html } : { text }),
});

/** One email by hand, to see that sending works. Its request is what a program would send. */
export function ComposePage() {
  const router = useRouter();
  const { me } = useSession();
  const whyNot = useWhyNot('emails:send');
  const whyNotLater = useWhyNot('scheduled:write');
  const [isLater, setLater] = useState(false);
  const [isScheduled, setScheduled] = useState(false);
  const [{ body, to, from }, setUrl] = useUrlState(['body', 'to', 'from']);
  const isHtml = body !== 'text';
  const form = useApiForm<Values>({
    initialValues: {
      from: from ?? SANDBOX_SENDER,
      to: to ?? me.email,
      subject: 'It works',
      html: HTML,
      text: TEXT,
    },
  });
  const { fields } = form;
  const own = useOwnSender();
  useEffect(() => {
    if (own === undefined || fields.getValues().from !== SANDBOX_SENDER) return;
    fields.setFieldValue('from', own);
    fields.resetDirty({ ...fields.getValues(), from: own });
    // oxlint-disable-next-line react/exhaustive-deps -- the form is another object at each change of its fields
  }, [own]);
  const write = useWrite({
    call: (values: Values) => sendEmail({ body: bodyOf(values, isHtml), throwOnError: true }),
    changes: ['listEmails', 'listCapturedEmails', 'getOverview'],
    onDone: (result) => {
      const [made] = 'jobId' in result ? result.emails : [];
      toastDone('Accepted. Its page shows what becomes of it.');
      fields.resetDirty();
      router.history.push(made === undefined ? pb.emails() : pb.email(made.id));
    },
    onError: form.fail,
  });
  return (
    <div className={classes['compose']}>
      <PageHeader
        title="Send a test email"
        crumbs={[{ label: 'Emails', href: pb.emails() }]}
        description="While Posthorn has no provider, the email is kept in the Outbox and reaches nobody."
        actions={<CurlButton call={{ method: 'POST', path: '/v1/send', body: bodyOf(fields.values, isHtml) }} />}
      />
      <WriteForm
        label="Send a test email"
        form={form}
        write={write}
        submit="Send"
        disabledReason={whyNot}
        cancel={pb.emails()}
        more={
          <ActionButton variant="default" disabledReason={whyNotLater} onClick={() => setLater(true)}>
            Send later
          </ActionButton>
        }
      >
        <TextInput label="From" spellCheck={false} {...fields.getInputProps('from')} />
        <DomainHelp refusal={fields.errors['from']} />
        <SendLimitHelp refusal={fields.errors['from'] ?? sentenceOf(form.problem)} />
        <TextInput label="To" spellCheck={false} {...fields.getInputProps('to')} />
        <TextInput label="Subject" {...fields.getInputProps('subject')} />
        <SegmentedControl
          size="xs"
          aria-label="Form of the body"
          style={{ alignSelf: 'flex-start' }}
          value={isHtml ? 'html' : 'text'}
          onChange={(value) => setUrl({ body: value === 'text' ? value : undefined })}
          data={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: 'Plain text' },
          ]}
        />
        <Textarea
          key={isHtml ? 'html' : 'text'}
          label={isHtml ? 'HTML' : 'Text'}
          {...(isHtml ? { description: 'The plain text is made from it.' } : {})}
          className={classes['body'] ?? ''}
          autosize
          minRows={10}
          maxRows={24}
          spellCheck={!isHtml}
          {...fields.getInputProps(isHtml ? 'html' : 'text')}
        />
      </WriteForm>
      <SendLaterDialog
        body={bodyOf(fields.values, isHtml)}
        opened={isLater}
        onRefused={(error) => {
          setLater(false);
          form.fail(error);
        }}
        onScheduled={(id) => {
          fields.resetDirty();
          setScheduled(true);
          router.history.push(pb.scheduledEmail(id));
        }}
        onClose={() => setLater(false)}
      />
      <UnsavedGuard
        when={fields.isDirty() && !write.isPending && !write.isSuccess && !isScheduled}
        what="The email has not been sent."
      />
    </div>
  );
}
