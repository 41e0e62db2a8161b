import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { requestEmailChange } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from '../account.module.css';

interface Values {
  email: string;
  current_password: string;
}

/** Another address: the link in its mailbox makes it count. */
export function ChangeAddress({ email }: { email: string }) {
  const [askedFor, setAskedFor] = useState<string>();
  const { fields, fail, problem, clear } = useApiForm({
    initialValues: { email: '', current_password: '' },
    validate: {
      email: (text) => (text.trim() === '' ? 'Enter the new address.' : null),
      current_password: (text) => (text === '' ? 'Enter your password.' : null),
    },
  });
  const write = useWrite({
    call: (body: Values) => requestEmailChange({ body, throwOnError: true }),
    changes: [],
    onDone: () => {
      setAskedFor(fields.values.email.trim());
      fields.reset();
    },
    onError: fail,
  });
  return (
    <Section title="Address" description={`You sign in with ${email}.`}>
      <div className={classes['narrow']}>
        {askedFor !== undefined && (
          <div role="status" style={{ marginBottom: 16 }}>
            <Notice tone="info">
              A link is on its way to {askedFor}. Your address changes when you follow it, within a day.
            </Notice>
          </div>
        )}
        <Form
          label="Change the address"
          problem={problem}
          onSubmit={fields.onSubmit((values) => {
            clear();
            setAskedFor(undefined);
            write.mutate({ ...values, email: values.email.trim() });
          })}
          actions={
            <ActionButton type="submit" variant="default" loading={write.isPending}>
              Send the link
            </ActionButton>
          }
        >
          <TextInput
            label="New address"
            type="email"
            autoComplete="email"
            maxLength={320}
            {...fields.getInputProps('email')}
          />
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            {...fields.getInputProps('current_password')}
          />
          <Text size="xs" c="dimmed">
            Nothing changes before you follow the link. {email} is told then.
          </Text>
        </Form>
      </div>
    </Section>
  );
}
