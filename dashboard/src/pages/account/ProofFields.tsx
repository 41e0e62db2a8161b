import { PasswordInput, TextInput } from '@mantine/core';

export type Proof = { current_password: string; code: string };

export const NO_PROOF: Proof = { current_password: '', code: '' };

/** Of the fields below, before anything is sent. */
export const validateProof = (withCode: boolean) => ({
  current_password: (text: string) => (text === '' ? 'Enter your password.' : null),
  code: (text: string) => (withCode && text.trim() === '' ? 'Enter a code.' : null),
});

/** As the API takes it: no code where none is asked for. */
export const proofOf = ({ current_password, code }: Proof): { current_password: string; code?: string } => ({
  current_password,
  ...(code.trim() === '' ? {} : { code: code.trim() }),
});

interface Props {
  /** Of `useApiForm`, with the fields of `Proof` among others. */
  fields: { getInputProps: (name: keyof Proof) => object };
  /** While two-factor sign-in is on. */
  withCode: boolean;
  /** The first of them gets the focus of the dialog. */
  autofocus?: boolean;
}

/** A session that was left open does not give them: the password, and a code of the second factor. */
export function ProofFields({ fields, withCode, autofocus = false }: Props) {
  return (
    <>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        {...(autofocus ? { 'data-autofocus': true } : {})}
        {...fields.getInputProps('current_password')}
      />
      {withCode && (
        <TextInput
          label="Code"
          description="Six digits of the app, or a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
          autoCapitalize="off"
          {...fields.getInputProps('code')}
        />
      )}
    </>
  );
}
