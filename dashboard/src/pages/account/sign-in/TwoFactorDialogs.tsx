import { disableTwoFactor, replaceRecoveryCodes } from '../../../api/generated/sdk.gen.ts';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { EnableTwoFactor } from './EnableTwoFactor.tsx';
import { PasswordAndCode } from './PasswordAndCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const TITLES = {
  enable: 'Set up two-factor sign-in',
  replace: 'New recovery codes',
  disable: 'Turn off two-factor sign-in?',
} as const;
export type TwoFactorDialog = keyof typeof TITLES;

interface Props {
  opened: boolean;
  dialog: TwoFactorDialog | undefined;
  /** New recovery codes, until the person has kept them. */
  codes: readonly string[] | undefined;
  email: string;
  onCodes: (codes: readonly string[]) => void;
  onClose: () => void;
}

/** The dialogs of the second factor. The one with the codes follows those that make codes. */
export function TwoFactorDialogs({ dialog, codes, email, onCodes, onClose }: Props) {
  return (
    <>
      <LoadedDialog
        opened={dialog !== undefined && codes === undefined}
        onClose={onClose}
        title={dialog === undefined ? TITLES.enable : TITLES[dialog]}
        size={dialog === 'enable' ? 'md' : 'sm'}
      >
        {dialog === 'enable' && <EnableTwoFactor onCodes={onCodes} />}
        {dialog === 'replace' && (
          <PasswordAndCode
            label="New recovery codes"
            confirm="Replace the codes"
            call={(body) => replaceRecoveryCodes({ body, throwOnError: true })}
            onDone={(result) => onCodes(result.recovery_codes)}
            onClose={onClose}
          />
        )}
        {dialog === 'disable' && (
          <PasswordAndCode
            label="Turn off two-factor sign-in"
            confirm="Turn off"
            danger
            call={(body) => disableTwoFactor({ body, throwOnError: true })}
            onDone={() => {
              toastDone('Two-factor sign-in is off.');
              onClose();
            }}
            onClose={onClose}
          />
        )}
      </LoadedDialog>
      {/* A click beside it or Escape would lose the codes for good. */}
      <LoadedDialog
        opened={codes !== undefined}
        onClose={onClose}
        title="Your recovery codes"
        size="sm"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {codes !== undefined && <RecoveryCodes codes={codes} email={email} onClose={onClose} />}
      </LoadedDialog>
    </>
  );
}
