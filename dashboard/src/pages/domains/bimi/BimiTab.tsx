import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { disableBimi } from '../../../api/generated/sdk.gen.ts';
import type { Domain } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Section } from '../../../ui/Section.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import classes from '../domains.module.css';
import own from './bimi.module.css';
import { RecordsTable } from '../RecordsTable.tsx';
import { DOMAIN_READS } from '../use-check-now.ts';
import { BimiForm } from './BimiForm.tsx';
import { LogoPreview } from './LogoPreview.tsx';
import { markOfRecord } from './mark-of-record.ts';
import { VerifyBimi } from './VerifyBimi.tsx';

interface Props {
  domain: Domain;
  whyNot: string | undefined;
}

/** The logo that mailboxes show beside mail of the domain. */
export function BimiTab({ domain, whyNot }: Props) {
  const record = domain.dns_records.find(({ purpose }) => purpose === 'bimi');
  const mark = record && markOfRecord(record);
  if (record === undefined || mark === undefined) {
    return (
      <div className={classes['narrow']}>
        <Needs />
        <Section title="Turn it on" description="Nothing is published yet: you get the DNS record, and a check.">
          <BimiForm domain={domain} whyNot={whyNot} mark={undefined} />
        </Section>
        <LogoPreview domain={domain.domain} svgUrl={undefined} logo={null} />
      </div>
    );
  }
  return (
    <div className={classes['tab']}>
      <VerifyBimi key={record.value} domain={domain} whyNot={whyNot} />
      <Section title="Record to publish" plain>
        <RecordsTable domain={`the logo of ${domain.domain}`} records={[record]} />
      </Section>
      <LogoPreview domain={domain.domain} svgUrl={mark.svgUrl} logo={domain.bimi_check?.logo ?? null} />
      <div className={classes['narrow']}>
        <Section title="Another logo" description="It takes the place of this one, and the record changes with it.">
          <BimiForm key={record.value} domain={domain} whyNot={whyNot} mark={mark} />
        </Section>
        <Disable domain={domain} whyNot={whyNot} />
      </div>
    </div>
  );
}

const NEEDS = [
  ['DMARC', 'a policy of quarantine or reject, for the domain and for the registered domain above it'],
  ['Logo', 'a square SVG Tiny PS of at most 32 KB, at a public https address'],
  ['Certificate', 'a mark certificate (VMC or CMC) for this logo, at a public https address'],
  ['Record', 'one TXT record, which you get here'],
] as const;

function Needs() {
  return (
    <Section
      title="A logo beside your mail (BIMI)"
      description="Gmail, Apple Mail, Yahoo and Fastmail show it, and each decides for itself when. It needs four things."
    >
      <dl className={own['needs']}>
        {NEEDS.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Disable({ domain, whyNot }: Props) {
  const [asks, setAsks] = useState(false);
  const write = useWrite({
    call: () => disableBimi({ path: { id: domain.id }, throwOnError: true }),
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
        Posthorn forgets the logo. Remove its record from your DNS, too.
      </Text>
      <ActionButton variant="default" disabledReason={whyNot} onClick={() => setAsks(true)}>
        Turn the logo off
      </ActionButton>
      <Dialog opened={asks} onClose={() => setAsks(false)} title="Turn the logo off?" size="sm">
        <Text size="sm">
          Its addresses are forgotten here. Mailboxes show it for as long as its record stands in your DNS.
        </Text>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={() => setAsks(false)} data-autofocus>
            Cancel
          </Button>
          <Button variant="danger" loading={write.isPending} onClick={() => write.mutate(undefined)}>
            Turn off
          </Button>
        </Group>
      </Dialog>
    </Section>
  );
}
