import { Text } from '@mantine/core';
import { useState } from 'react';
import { rotateDomainDkim } from '../../../api/generated/sdk.gen.ts';
import type { Domain } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { exactTime } from '../../../lib/time.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import classes from '../domains.module.css';
import { recordState } from '../record-state.ts';
import { DOMAIN_READS } from '../use-check-now.ts';
import { dkimKeysOf, whyNoRotation } from './dkim-keys.ts';

interface Props {
  domain: Domain;
  whyNot: string | undefined;
}

const ROLES = { current: 'Signs your mail', next: 'Comes next', former: 'Signed before' } as const;

/** The keys that sign, and the change to a new one. */
export function DkimKeys({ domain, whyNot }: Props) {
  const [asks, setAsks] = useState(false);
  const keys = dkimKeysOf(domain);
  const next = keys.find(({ role }) => role === 'next');
  const former = keys.find(({ role }) => role === 'former');
  const write = useWrite({
    call: () => rotateDomainDkim({ path: { id: domain.id }, throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: () => {
      setAsks(false);
      toastDone('The next key is made. Publish its record.');
    },
    onError: toastError,
  });
  return (
    <Section
      title="DKIM keys"
      description="A new key ends the use of one that may have become known to others. Mail goes on without a break: the old key signs until the record of the new one is found."
      actions={
        <ActionButton
          variant="default"
          size="xs"
          disabledReason={whyNot ?? whyNoRotation(domain)}
          onClick={() => setAsks(true)}
        >
          Rotate the DKIM key
        </ActionButton>
      }
    >
      <ul className={classes['judged']} aria-label="DKIM keys">
        {keys.map(({ selector, role, record }) => {
          const state = recordState(record);
          return (
            <li key={selector}>
              <b>{selector}</b>
              <StatusBadge tone={state.tone}>{state.label}</StatusBadge>
              <span>
                {role === 'current' && !domain.sending_enabled ? 'Signs once the domain is verified' : ROLES[role]}
                {record.needed_until !== null && `. Its record is needed until ${exactTime(record.needed_until)}.`}
              </span>
            </li>
          );
        })}
      </ul>
      {next !== undefined && (
        <p className={classes['after']}>
          Publish the record of {next.selector}, which is in the list above. Posthorn looks for it every 15 minutes for
          72 hours, and signs with it once all DNS servers have it. Leave the record of {domain.dkim_selector} in place.
        </p>
      )}
      {former !== undefined && (
        <p className={classes['after']}>
          Within a minute of the change all mail is signed with {domain.dkim_selector}. Mail that was signed with{' '}
          {former.selector} may still be on its way: leave its record in place until then.
        </p>
      )}
      <Dialog opened={asks} onClose={() => setAsks(false)} title="Rotate the DKIM key?" size="md">
        <Text size="sm">
          Posthorn makes a second key and shows its record, at a selector of its own. Nothing changes for your mail
          before that record is published and found; the record of the old key is needed for seven more days.
        </Text>
        <div className={classes['dialogActions']}>
          <ActionButton variant="default" onClick={() => setAsks(false)} data-autofocus>
            Cancel
          </ActionButton>
          <ActionButton loading={write.isPending} onClick={() => write.mutate(undefined)}>
            Make the next key
          </ActionButton>
        </div>
      </Dialog>
    </Section>
  );
}
