import type { DnsHost } from '../../../api/generated/types.gen.ts';
import { Section } from '../../../ui/Section.tsx';
import classes from '../domains.module.css';

interface Props {
  host: DnsHost;
  isChecked: boolean;
}

/** The steps to publish a record where the zone of the domain is. */
export function DnsHostSteps({ host: { id, name, name_servers: servers, steps }, isChecked }: Props) {
  const isKnown = id !== 'other';
  return (
    <Section
      title={isKnown ? `Publish them at ${name}` : 'Publish them where your DNS is'}
      description={
        servers === null || servers.length === 0
          ? isChecked
            ? 'The last check did not find out where the DNS of the domain is.'
            : 'A check finds out where the DNS of the domain is.'
          : `The name servers of the domain: ${servers.join(', ')}.`
      }
    >
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Section>
  );
}
