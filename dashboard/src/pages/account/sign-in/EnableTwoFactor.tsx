import { PasswordInput, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { enableTwoFactor, setUpTwoFactor } from '../../../api/generated/sdk.gen.ts';
import type { TwoFactorSetUp } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { WriteForm } from '../../../ui/form/WriteForm.tsx';
import classes from '../account.module.css';

const QrCode = lazy(() => import('./QrCode.tsx').then(({ QrCode: component }) => ({ default: component })));

/** Two steps: the password, and a code of the app. `onCodes` is given the recovery codes, which exist only then. */
export function EnableTwoFactor({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [secret, setSecret] = useState<TwoFactorSetUp>();
  return secret === undefined ? <EnterPassword onDone={setSecret} /> : <EnterCode setUp={secret} onDone={onCodes} />;
}

function EnterPassword({ onDone }: { onDone: (setUp: TwoFactorSetUp) => void }) {
  const form = useApiForm({ initialValues: { current_password: '' } });
  const { fields } = form;
  const write = useWrite({
    call: (body: { current_password: string }) => setUpTwoFactor({ body, throwOnError: true }),
    changes: [],
    onDone,
    onError: form.fail,
  });
  return (
    <WriteForm label="Your password" form={form} write={write} submit="Continue">
      <PasswordInput
        label="Your password"
        description="So that nobody can do this in a browser that you left open."
        autoComplete="current-password"
        data-autofocus
        {...fields.getInputProps('current_password')}
      />
    </WriteForm>
  );
}

/** The secret in groups of four, as people read it. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

function EnterCode({ setUp, onDone }: { setUp: TwoFactorSetUp; onDone: (codes: readonly string[]) => void }) {
  const form = useApiForm({ initialValues: { code: '' } });
  const { fields } = form;
  const write = useWrite({
    call: ({ code }: { code: string }) =>
      enableTwoFactor({ body: { code: code.replaceAll(' ', '') }, throwOnError: true }),
    changes: ['getMe', 'session', 'listSecurityEvents'],
    onDone: (result) => onDone(result.recovery_codes),
    onError: form.fail,
  });
  return (
    <WriteForm label="Code of the app" form={form} write={write} submit="Turn on">
      <div className={classes['setUp']}>
        <Suspense fallback={<div className={classes['qr']} />}>
          <QrCode text={setUp.otpauth_url} label="QR code for your app. The key beside it says the same." />
        </Suspense>
        <div className={classes['setUpWords']}>
          <p>
            Scan it with your app. On this device you can{' '}
            <a href={setUp.otpauth_url} rel="external">
              open the app
            </a>
            , or type the key:
          </p>
          <CodeBlock code={inGroups(setUp.secret)} label="the key" wrap />
        </div>
      </div>
      <TextInput
        label="Code"
        description="The six digits that the app shows."
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        {...fields.getInputProps('code')}
      />
    </WriteForm>
  );
}
