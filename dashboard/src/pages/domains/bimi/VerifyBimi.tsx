import { useState } from 'react';
import { verifyBimi } from '../../../api/generated/sdk.gen.ts';
import type { BimiFault, Domain, LastBimiCheck } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { useSecondsUntil } from '../use-seconds-until.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import classes from '../domains.module.css';
import own from './bimi.module.css';
import { DOMAIN_READS, REST_SECONDS } from '../use-check-now.ts';

const GROUPS: readonly { id: BimiFault['group']; label: string }[] = [
  { id: 'dmarc', label: 'DMARC policy' },
  { id: 'record', label: 'DNS record' },
  { id: 'svg', label: 'Logo' },
  { id: 'certificate', label: 'Certificate' },
];

/** Looks at everything as mailboxes do, and shows all faults of the last check at once with their remedies. */
export function VerifyBimi({ domain, whyNot }: { domain: Domain; whyNot: string | undefined }) {
  const [asked, setAsked] = useState(0);
  const left = useSecondsUntil(asked + REST_SECONDS * 1_000, REST_SECONDS);
  const write = useWrite({
    call: () => verifyBimi({ path: { id: domain.id }, throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: () => setAsked(Date.now()),
    onError: () => setAsked(Date.now()),
  });
  const check = domain.bimi_check;
  const rest = left === 0 ? undefined : `The last check was a moment ago. The next can begin in ${left} s.`;
  return (
    <Section
      title="Check"
      description="Posthorn looks at the policy, the record, the logo and the certificate, as mailboxes do."
      actions={
        <ActionButton
          loading={write.isPending}
          disabledReason={whyNot ?? (write.isPending ? undefined : rest)}
          onClick={() => write.mutate(undefined)}
        >
          Check the logo
        </ActionButton>
      }
    >
      <div className={classes['tab']}>
        <p className={classes['lone']}>
          {check === null ? (
            'Not checked yet.'
          ) : (
            <>
              Checked <RelativeTime at={check.checked_at} />
            </>
          )}
        </p>
        <div role="status">
          {write.error !== null && <ErrorState error={write.error} />}
          {check !== null && <Result check={check} />}
        </div>
      </div>
    </Section>
  );
}

function Result({ check }: { check: LastBimiCheck }) {
  const { faults, certificate, message } = check;
  return (
    <div className={classes['tab']}>
      <Notice tone={faults.length === 0 ? 'ok' : 'bad'}>
        {faults.length === 0 ? message : `${counted(faults.length, 'thing')} to mend. Each has its remedy below.`}
      </Notice>
      <ul className={own['groups']} aria-label="What was checked">
        {GROUPS.map(({ id, label }) => (
          <Group key={id} label={label} faults={faults.filter(({ group }) => group === id)} />
        ))}
      </ul>
      {certificate !== null && (
        <p className={classes['lone']}>
          {certificate.kind === 'vmc' ? 'Verified Mark Certificate' : 'Common Mark Certificate'}
          {certificate.issuer !== null && ` of ${certificate.issuer}`}, ends{' '}
          <RelativeTime at={certificate.expires_at} />
        </p>
      )}
    </div>
  );
}

function Group({ label, faults }: { label: string; faults: readonly BimiFault[] }) {
  return (
    <li>
      <div className={own['groupHead']}>
        <b>{label}</b>
        <StatusBadge tone={faults.length === 0 ? 'ok' : 'bad'}>
          {faults.length === 0 ? 'Good' : counted(faults.length, 'fault')}
        </StatusBadge>
      </div>
      {faults.length > 0 && (
        <ul className={own['faults']}>
          {faults.map(({ code, place, message, remedy }) => (
            <li key={`${code} ${place} ${message}`}>
              <span>{message}</span> <span className={own['remedy']}>{remedy}</span>
              <code>{place}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
