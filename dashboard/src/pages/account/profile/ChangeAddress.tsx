import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { requestEmailChange } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from '../account.module.css';
import { NO_PROOF, type Proof, ProofFields, proofOf, validateProof } from '../ProofFields.tsx';

type Values = Proof & { email: string };

/** Another address: the link in its mailbox makes it count. */
export function ChangeAddress({ email, withCode }: { email: string; withCode: boolean }) {
  const [askedFor, setAskedFor] = useState<string>();
  const { fields, fail, problem, clear } = useApiForm({
    initialValues: { email: '', ...NO_PROOF },
    validate: {
      email: (text) => (text.trim() === '' ? 'Enter the new address.' : null),
      ...validateProof(withCode),
    },
  });
  const write = useWrite({
    call: ({ email: next, ...proof }: Values) =>
      requestEmailChange({ body: { email: next, ...proofOf(proof) }, throwOnError: true }),
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
          <ProofFields fields={fields} withCode={withCode} />
          <Text size="xs" c="dimmed">
            Nothing changes before you follow the link. {email} is told then.
          </Text>
        </Form>
      </div>
    </Section>
  );
}
