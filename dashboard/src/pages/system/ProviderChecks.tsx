import type { ProviderCheck, ProviderFinding } from '../../api/generated/types.gen.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import classes from './system.module.css';

const PROVIDERS = {
  ses: 'The checks of the provider, Amazon SES.',
  smtp: 'The checks of the provider, an SMTP server.',
  capture: 'The checks of the provider. Mail is captured: none leaves this server.',
} as const;

const STATES: Readonly<Record<ProviderFinding['status'], { tone: Tone; label: string }>> = {
  ok: { tone: 'ok', label: 'Ok' },
  warning: { tone: 'warn', label: 'Warning' },
  error: { tone: 'bad', label: 'Error' },
  skipped: { tone: 'quiet', label: 'Skipped' },
};

interface Props {
  check: ProviderCheck | undefined;
  error: unknown;
  isChecking: boolean;
  onCheck: () => void;
}

/** The doctor: each check of the provider, with the cause and the remedy of what is wrong. */
export function ProviderChecks({ check, error, isChecking, onCheck }: Props) {
  return (
    <Section
      title="Doctor"
      anchor="doctor"
      description={check === undefined ? 'The checks of the provider.' : PROVIDERS[check.provider]}
      actions={
        <ActionButton variant="default" size="xs" loading={isChecking} onClick={onCheck}>
          Check again
        </ActionButton>
      }
    >
      {error !== null && check === undefined && <ErrorState error={error} onRetry={onCheck} />}
      {check !== undefined && (
        <ul className={classes['findings']}>
          {check.checks.map((finding) => (
            <Finding key={`${finding.id} ${finding.message}`} finding={finding} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Finding({ finding: { id, status, message, cause, fix } }: { finding: ProviderFinding }) {
  return (
    <li className={classes['finding']}>
      <StatusBadge tone={STATES[status].tone}>{STATES[status].label}</StatusBadge>
      <div>
        <div>
          {message} <code className={classes['id']}>{id}</code>
        </div>
        {cause !== null && <div className={classes['more']}>{cause}</div>}
        {fix !== null && <div className={classes['more']}>{fix}</div>}
      </div>
    </li>
  );
}
