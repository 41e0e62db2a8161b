import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import classes from './domains.module.css';

const RECORDS = [
  {
    name: 'DKIM',
    text: 'Posthorn signs each email with a key of the domain. Receivers check the signature with this record, and see that nobody has changed or forged the email.',
  },
  {
    name: 'SPF',
    text: 'It names the servers that may send for the domain. If you have one, Posthorn shows the record that keeps your other senders.',
  },
  {
    name: 'DMARC',
    text: 'It tells receivers what to do with mail that fails both. Gmail and Yahoo ask bulk senders for one.',
  },
] as const;

/** Before the first domain: why it is needed, and the work of each record. */
export function WhyADomain({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={<Globe size={20} />} title="Send from a domain of your own" action={action}>
      <p className={classes['why']}>
        Mail servers trust mail when the owner of its domain has listed in the DNS who may send it. You publish these
        records once; Posthorn writes them for you and tells you when they are right.
      </p>
      <dl className={classes['whyRecords']}>
        {RECORDS.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </EmptyState>
  );
}
