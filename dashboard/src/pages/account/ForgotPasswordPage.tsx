import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { requestPasswordReset } from '../../api/generated/sdk.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { OutsideLayout } from './OutsideLayout.tsx';

/** Asks for the mail with the link. The answer is the same whether or not there is an account. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  const { fields, fail, problem } = useApiForm({ initialValues: { email: '' } });
  const write = useWrite({
    call: (email: string) => requestPasswordReset({ body: { email }, throwOnError: true }),
    changes: [],
    onDone: (_result, email) => setSentTo(email),
    onError: fail,
  });
  const back = <a href={pb.signIn()}>Back to sign in</a>;
  if (sentTo !== undefined) {
    return (
      <OutsideLayout title="Look into your mailbox" foot={back}>
        <Text size="sm" role="status">
          If <b>{sentTo}</b> has an account, a mail with a link to a new password is on its way. The link works once,
          and for one hour.
        </Text>
      </OutsideLayout>
    );
  }
  return (
    <OutsideLayout title="Forgot your password?" foot={back}>
      <Form
        onSubmit={fields.onSubmit(({ email }) => write.mutate(email))}
        problem={problem}
        label="Reset password"
        actions={
          <ActionButton type="submit" loading={write.isPending} fullWidth>
            Send me a link
          </ActionButton>
        }
      >
        <TextInput label="Email" type="email" autoComplete="username" {...fields.getInputProps('email')} autoFocus />
      </Form>
    </OutsideLayout>
  );
}
