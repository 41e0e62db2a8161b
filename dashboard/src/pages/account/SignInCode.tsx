import { Text, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { type CodeStep, finishSignIn } from '../../api/sign-in.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { OutsideLayout } from './OutsideLayout.tsx';

interface Props {
  email: string;
  step: CodeStep;
  onDone: () => Promise<void>;
  onStartAgain: (isLate: boolean) => void;
}

/** The second step: six digits of the app, or a recovery code. When the time is over, the first step comes back. */
export function SignInCode({ email, step, onDone, onStartAgain }: Props) {
  const [isBusy, setBusy] = useState(false);
  const { fields, fail, problem, clear } = useApiForm({ initialValues: { code: '' } });

  const onLate = useEffectEvent(() => onStartAgain(true));
  useEffect(() => {
    const timer = setTimeout(() => onLate(), step.lastsMs);
    return () => clearTimeout(timer);
  }, [step]);

  const submit = fields.onSubmit(async ({ code }) => {
    setBusy(true);
    clear();
    try {
      await finishSignIn({ challenge: step.challenge, code: code.trim() });
      await onDone();
    } catch (error) {
      fail(error);
      requestAnimationFrame(() => fields.getInputNode('code')?.focus());
    } finally {
      setBusy(false);
    }
  });

  return (
    <OutsideLayout title="Enter your code">
      <Text size="sm">
        You sign in as <b>{email}</b>.
      </Text>
      <Form
        onSubmit={submit}
        problem={problem}
        label="Enter your code"
        actions={
          <>
            <ActionButton type="submit" loading={isBusy} fullWidth>
              Sign in
            </ActionButton>
            <ActionButton variant="subtle" color="gray" fullWidth onClick={() => onStartAgain(false)}>
              Start again
            </ActionButton>
          </>
        }
      >
        <TextInput
          label="Code"
          description="Six digits of your app, or one of your recovery codes."
          autoComplete="one-time-code"
          spellCheck={false}
          autoCapitalize="off"
          {...fields.getInputProps('code')}
          required
          autoFocus
        />
      </Form>
    </OutsideLayout>
  );
}
