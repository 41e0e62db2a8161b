import { useState } from 'react';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from '../domains.module.css';

/** The secret that signs forwarded mail, hidden until it is asked for. The server masks it for those who only read. */
export function ForwardSecret({ secret }: { secret: string }) {
  const [isShown, setShown] = useState(false);
  const isMasked = secret.includes('•');
  return (
    <Section title="Secret of the webhook" description="Signs every message that is forwarded.">
      <div className={classes['secret']}>
        <code data-secret>{isShown ? secret : `whsec_••••••••${secret.slice(-4)}`}</code>
        <ActionButton
          variant="default"
          disabledReason={isMasked ? 'Your role sees the last four characters only.' : undefined}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </ActionButton>
        {!isMasked && <CopyButton value={secret}>Copy</CopyButton>}
      </div>
    </Section>
  );
}
