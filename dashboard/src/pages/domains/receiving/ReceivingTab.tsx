import { Text } from '@mantine/core';
import { useState } from 'react';
import { disableReceiving, enableReceiving } from '../../../api/generated/sdk.gen.ts';
import type { Domain } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Section.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import classes from '../domains.module.css';
import { RecordsTable } from '../RecordsTable.tsx';
import { DOMAIN_READS, useCheckNow } from '../use-check-now.ts';
import { FirstMail } from './FirstMail.tsx';
import { faultOfForward } from './forward-health.ts';
import { ForwardForm } from './ForwardForm.tsx';
import { ForwardSecret } from './ForwardSecret.tsx';
import { ForwardTest } from './ForwardTest.tsx';
import { useLastMail } from './use-last-mail.ts';

interface Props {
  domain: Domain;
  whyNot: string | undefined;
}

/** Mail that arrives for the domain: on or off, its MX record, and where it is forwarded to. */
export function ReceivingTab({ domain, whyNot }: Props) {
  return domain.receiving_enabled ? <On domain={domain} whyNot={whyNot} /> : <Off domain={domain} whyNot={whyNot} />;
}

function Off({ domain, whyNot }: Props) {
  const write = useWrite({
    call: () => enableReceiving({ path: { id: domain.id }, throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: ({ message }) => toastDone(message),
    onError: toastError,
  });
  return (
    <div className={classes['narrow']}>
      <Section
        title="Receive mail for this domain"
        description={`Mail to every address at ${domain.domain} comes here: you read it in the dashboard, answer it, and get it at your webhook.`}
      >
        <Text size="sm" mb="md">
          You publish an MX record, which moves all mail of the name. Do people have mailboxes at {domain.domain}? Then
          add a domain of its own for this, such as reply.{domain.domain}.
        </Text>
        <ActionButton loading={write.isPending} disabledReason={whyNot} onClick={() => write.mutate(undefined)}>
          Receive mail
        </ActionButton>
      </Section>
    </div>
  );
}

function On({ domain, whyNot }: Props) {
  const received = useLastMail(domain.id);
  const { check, isChecking, rest } = useCheckNow(domain);
  const fault = faultOfForward(domain.webhook_health);
  return (
    <div className={classes['tab']}>
      <FirstMail domain={domain} received={received} />
      <Section
        title="MX record"
        description="Other mail servers find Posthorn by it. It is looked for with the other records."
        actions={
          <ActionButton
            variant="default"
            size="xs"
            loading={isChecking}
            disabledReason={whyNot ?? (isChecking ? undefined : rest)}
            onClick={check}
          >
            Check now
          </ActionButton>
        }
        plain
      >
        <RecordsTable
          domain={`the mail of ${domain.domain}`}
          records={domain.dns_records.filter(({ purpose }) => purpose === 'inbound')}
          receives={received?.last !== undefined}
        />
      </Section>
      <div className={classes['narrow']}>
        <Section
          title="Webhook"
          description="Each message that is received is posted to this address, signed and retried as other deliveries are."
        >
          <div className={classes['tab']}>
            {fault !== undefined && <Notice tone={fault.tone}>{fault.words}</Notice>}
            <ForwardForm key={domain.webhook_url} domain={domain} whyNot={whyNot} />
          </div>
        </Section>
        {domain.webhook_url !== null && domain.webhook_secret !== null && (
          <>
            <ForwardSecret secret={domain.webhook_secret} />
            <ForwardTest id={domain.id} whyNot={whyNot} />
          </>
        )}
        <TurnOff domain={domain} whyNot={whyNot} />
      </div>
    </div>
  );
}

function TurnOff({ domain, whyNot }: Props) {
  const [asks, setAsks] = useState(false);
  const write = useWrite({
    call: () => disableReceiving({ path: { id: domain.id }, throwOnError: true }),
    changes: DOMAIN_READS,
    onDone: ({ message }) => {
      setAsks(false);
      toastDone(message);
    },
    onError: toastError,
  });
  return (
    <Section title="Turn it off" plain>
      <Text size="sm" mb="sm" c="dimmed">
        Mail that was received stays. Remove the MX record, too.
      </Text>
      <ActionButton variant="default" disabledReason={whyNot} onClick={() => setAsks(true)}>
        Receive no more mail
      </ActionButton>
      <Dialog opened={asks} onClose={() => setAsks(false)} title="Receive no more mail?" size="sm">
        <Text size="sm">Mail to {domain.domain} is refused from then on, and people who write are told so.</Text>
        <div className={classes['dialogActions']}>
          <ActionButton variant="default" onClick={() => setAsks(false)} data-autofocus>
            Cancel
          </ActionButton>
          <ActionButton variant="danger" loading={write.isPending} onClick={() => write.mutate(undefined)}>
            Turn off
          </ActionButton>
        </div>
      </Dialog>
    </Section>
  );
}
