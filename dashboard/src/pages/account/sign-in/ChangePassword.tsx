import { PasswordInput } from '@mantine/core';
import { updateMe } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import { Section } from '../../../ui/Section.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import classes from '../account.module.css';

/** A new password; the server ends the other sessions. */
export function ChangePassword({ email }: { email: string | undefined }) {
  const form = useApiForm({
    initialValues: { current_password: '', password: '' },
    validate: {
      current_password: (text) => (text === '' ? 'Enter your password.' : null),
      password: (text) => (text.length < 8 ? 'Use at least 8 characters.' : null),
    },
  });
  const { fields } = form;
  const write = useWrite({
    call: (body: { current_password: string; password: string }) => updateMe({ body, throwOnError: true }),
    changes: ['listSessions', 'listSecurityEvents'],
    onDone: () => {
      fields.reset();
      toastDone('Your password is changed. Your other sessions are signed out.');
    },
    onError: form.fail,
  });
  return (
    <Section title="Password" description="A new one signs you out everywhere else.">
      <div className={classes['narrow']}>
        <WriteForm label="Change the password" form={form} write={write} submit="Change the password" variant="default">
          {/* Password managers keep a password with the name of its account. */}
          <input type="hidden" name="username" autoComplete="username" value={email ?? ''} readOnly />
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            {...fields.getInputProps('current_password')}
          />
          <PasswordInput
            label="New password"
            description="8 to 256 characters of any kind."
            autoComplete="new-password"
            {...fields.getInputProps('password')}
          />
        </WriteForm>
      </div>
    </Section>
  );
}
