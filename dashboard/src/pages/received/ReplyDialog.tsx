import { Text, Textarea, TextInput } from '@mantine/core';
import { replyToInboundEmail } from '../../api/generated/sdk.gen.ts';
import type { InboundEmail } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { useApiForm } from '../../lib/use-api-form.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { DomainHelp } from '../../ui/form/DomainHelp.tsx';
import { WriteForm } from '../../ui/form/WriteForm.tsx';
import { clipped } from './received-words.ts';
import classes from './received.module.css';

interface Props {
  opened: boolean;
  mail: InboundEmail;
  onClose: () => void;
  onSent: (emailId: string) => void;
}

interface Values extends Record<string, unknown> {
  from: string;
  subject: string;
  text: string;
}

/** An answer in the conversation of the message. */
export function ReplyDialog({ opened, ...props }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="Reply" size="lg">
      <ReplyForm {...props} />
    </LoadedDialog>
  );
}

const answered = (subject: string | null): string =>
  /^\s*re\s*:/i.test(subject ?? '') ? (subject ?? '') : `Re: ${subject ?? ''}`;

function ReplyForm({ mail, onClose, onSent }: Omit<Props, 'opened'>) {
  const form = useApiForm<Values>({
    initialValues: { from: mail.envelope.to[0] ?? '', subject: answered(mail.subject), text: '' },
    validate: { text: (text) => (text.trim() === '' ? 'Write your answer.' : null) },
  });
  const { fields } = form;
  const write = useWrite({
    call: (values: Values) =>
      replyToInboundEmail({
        path: { id: mail.id },
        body: values,
        throwOnError: true,
      }),
    changes: ['listEmails', 'listCapturedEmails', 'getInboundEmail', 'listInboundEmails'],
    onDone: ({ emailId }) => onSent(emailId),
    onError: form.fail,
  });
  const to = mail.reply_to[0] ?? mail.from;
  const said = mail.stripped_text ?? mail.text;
  return (
    <WriteForm label="Reply" form={form} write={write} submit="Send" cancel={onClose}>
      <Text size="sm">To {to?.email}</Text>
      {said !== null && said.trim() !== '' && (
        <blockquote className={classes['answered']} aria-label="The message that you answer">
          {clipped(said)}
        </blockquote>
      )}
      <TextInput label="From" spellCheck={false} {...fields.getInputProps('from')} />
      <DomainHelp refusal={fields.errors['from']} />
      <TextInput label="Subject" {...fields.getInputProps('subject')} />
      <Textarea label="Text" autosize minRows={8} maxRows={20} data-autofocus {...fields.getInputProps('text')} />
      <UnsavedGuard
        when={fields.isDirty() && !write.isPending && !write.isSuccess}
        what="The answer has not been sent."
      />
    </WriteForm>
  );
}
