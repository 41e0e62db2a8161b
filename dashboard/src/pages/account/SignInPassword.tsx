import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type CodeStep, signInWithCookie } from '../../api/sign-in.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { OutsideLayout } from './OutsideLayout.tsx';

interface Props {
  /** Kept when the second step leads back here. */
  email: string;
  /** The second step took too long. */
  isLate: boolean;
  onDone: () => Promise<void>;
  onCodeStep: (email: string, step: CodeStep) => void;
}

export function SignInPassword({ email: given, isLate, onDone, onCodeStep }: Props) {
  const [isBusy, setBusy] = useState(false);
  const { fields, fail, problem, clear } = useApiForm({ initialValues: { email: given, password: '' } });

  const submit = fields.onSubmit(async ({ email, password }) => {
    setBusy(true);
    clear();
    try {
      const step = await signInWithCookie({ email, password });
      if (step === undefined) await onDone();
      else onCodeStep(email, step);
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  });

  return (
    <OutsideLayout title="Sign in">
      {isLate && problem === undefined && (
        <Notice tone="warn">The code was not given in time. Sign in with your password again.</Notice>
      )}
      <Form
        onSubmit={submit}
        problem={problem}
        label="Sign in"
        actions={
          <ActionButton type="submit" loading={isBusy} fullWidth>
            Sign in
          </ActionButton>
        }
      >
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          {...fields.getInputProps('email')}
          required
          autoFocus={given === ''}
        />
        <PasswordInput
          label="Password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          autoComplete="current-password"
          {...fields.getInputProps('password')}
          required
          autoFocus={given !== ''}
        />
        <Text size="sm">
          <a href={pb.forgotPassword()}>Forgot your password?</a>
        </Text>
      </Form>
    </OutsideLayout>
  );
}
