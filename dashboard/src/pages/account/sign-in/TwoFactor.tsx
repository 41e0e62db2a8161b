import { useState } from 'react';
import type { Me } from '../../../api/generated/types.gen.ts';
import { counted } from '../../../lib/number.ts';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import classes from '../account.module.css';
import type { TwoFactorDialog } from './TwoFactorDialogs.tsx';

const TwoFactorDialogs = lazyDialog(() => import('./TwoFactorDialogs.tsx').then((file) => file.TwoFactorDialogs));

/** Fewer are soon none. */
const FEW_CODES = 3;

/** The second factor: on or off, and how to change that. */
export function TwoFactor({ me }: { me: Me }) {
  const [{ dialog: asked }, setUrl] = useUrlState(['dialog']);
  const [codes, setCodes] = useState<readonly string[]>();
  const isOn = me.two_factor_enabled;
  // A link or a reload may ask for what has been done meanwhile.
  const fits: readonly TwoFactorDialog[] = isOn ? ['replace', 'disable'] : ['enable'];
  const dialog = fits.find((name) => name === asked);
  const open = (name: TwoFactorDialog) => setUrl({ dialog: name });
  const close = () => {
    setCodes(undefined);
    setUrl({ dialog: undefined });
  };
  return (
    <Section
      title="Two-factor sign-in"
      description="After your password, the sign-in asks for a code of an app on your phone. A stolen password is then not enough."
      actions={
        isOn ? (
          <>
            <ActionButton variant="default" size="xs" onClick={() => open('replace')}>
              New recovery codes
            </ActionButton>
            <ActionButton variant="danger" size="xs" onClick={() => open('disable')}>
              Turn off
            </ActionButton>
          </>
        ) : (
          <ActionButton size="xs" onClick={() => open('enable')}>
            Set up
          </ActionButton>
        )
      }
    >
      <StatusBadge tone={isOn ? 'ok' : 'quiet'}>{isOn ? 'On' : 'Off'}</StatusBadge>
      {isOn && <CodesLeft left={me.recovery_codes_left} />}
      <TwoFactorDialogs
        opened={dialog !== undefined || codes !== undefined}
        dialog={dialog}
        codes={codes}
        email={me.email}
        onCodes={setCodes}
        onClose={close}
      />
    </Section>
  );
}

function CodesLeft({ left }: { left: number }) {
  const words = `${counted(left, 'recovery code is', 'recovery codes are')} left.`;
  if (left >= FEW_CODES) return <p className={classes['note']}>{words}</p>;
  return (
    <div className={classes['note']}>
      <Notice tone="warn">{words} Without one and without your app you cannot sign in. Make new ones.</Notice>
    </div>
  );
}
