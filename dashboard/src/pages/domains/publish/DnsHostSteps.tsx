import type { DnsHost } from '../../../api/generated/types.gen.ts';
import { Section } from '../../../ui/Section.tsx';
import classes from '../domains.module.css';

/** The steps to publish a record where the zone of the domain is. */
export function DnsHostSteps({ host: { id, name, name_servers: servers, steps } }: { host: DnsHost }) {
  const isKnown = id !== 'other';
  return (
    <Section
      title={isKnown ? `Publish them at ${name}` : 'Publish them where your DNS is'}
      description={
        servers === null || servers.length === 0
          ? 'A check finds out where the DNS of the domain is.'
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
