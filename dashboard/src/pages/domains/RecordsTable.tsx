import type { DnsRecord } from '../../api/generated/types.gen.ts';
import { breakable } from '../../ui/breakable.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './domains.module.css';
import { RecordFinding } from './RecordFinding.tsx';
import { asZoneStrings, labelOf, mailServerOf, needOf, PURPOSES, recordState, ttlWords } from './record-state.ts';

interface Props {
  domain: string;
  records: readonly DnsRecord[];
  /** Mail has arrived. */
  receives?: boolean;
}

/** The records of a domain with the state of each. Below 720 px of its own width each record is a card. */
export function RecordsTable({ domain, records, receives = false }: Props) {
  return (
    <div className={classes['frame']}>
      <table className={classes['records']} aria-label={`DNS records of ${domain}`}>
        <thead>
          <tr>
            <th scope="col" className={classes['kindColumn']}>
              Record
            </th>
            <th scope="col" className={classes['nameColumn']}>
              Name
            </th>
            <th scope="col">Value</th>
            <th scope="col" className={classes['stateColumn']}>
              State
            </th>
          </tr>
        </thead>
        {records.map((record) => (
          <RecordRows key={`${record.purpose} ${record.name}`} record={record} receives={receives} />
        ))}
      </table>
    </div>
  );
}

function RecordRows({ record, receives }: { record: DnsRecord; receives: boolean }) {
  const { purpose, type, name, host, ttl } = record;
  const { why } = PURPOSES[purpose];
  const label = labelOf(record);
  const state = recordState(record, receives);
  return (
    <tbody>
      <tr>
        <th scope="row">
          <span className={classes['kind']}>
            {label} <code>{type}</code>
          </span>
          <span className={classes['need']}>{needOf(record)}</span>
          <span className={classes['why2']}>{why}</span>
        </th>
        <td data-label="Name">
          <Copied text={host} label={`Copy the host part of the ${label} record`} />
          {host !== name && (
            <span className={classes['whole']}>
              <Copied text={name} label={`Copy the whole name of the ${label} record`} quiet />
            </span>
          )}
        </td>
        <td data-label="Value">
          <Value record={record} label={label} />
          <span className={classes['quiet']}>TTL {ttlWords(ttl)}</span>
        </td>
        <td data-label="State">
          <StatusBadge tone={state.tone}>{state.label}</StatusBadge>
        </td>
      </tr>
      <RecordFinding record={record} />
    </tbody>
  );
}

function Value({ record, label }: { record: DnsRecord; label: string }) {
  if (record.type === 'MX') {
    return (
      <>
        <span className={classes['part']}>
          <span className={classes['quiet']}>Priority</span>
          <Copied text={String(record.priority ?? '')} label={`Copy the priority of the ${label} record`} />
        </span>
        <Copied text={mailServerOf(record)} label={`Copy the value of the ${label} record`} />
      </>
    );
  }
  return (
    <>
      <Copied text={record.value} label={`Copy the value of the ${label} record`} />
      {record.strings.length > 1 && (
        <details className={classes['strings']}>
          <summary>In strings of 255 bytes</summary>
          <span className={classes['hint']}>For zone files, and for hosts that cut long values.</span>
          <Copied text={asZoneStrings(record)} label={`Copy the strings of the ${label} record`} whole />
        </details>
      )}
    </>
  );
}

/** A name breaks behind its dots, and the address of a file behind its slashes. */
const placesIn = (text: string): RegExp => (text.includes('://') ? /(?<=[^:/]\/)/ : /(?<=\.)/);

interface CopiedProps {
  text: string;
  label: string;
  quiet?: boolean;
  /** A long text is otherwise cut after three lines; the button copies all of it. */
  whole?: boolean;
}

function Copied({ text, label, quiet = false, whole = false }: CopiedProps) {
  return (
    <span className={classes['copied']} data-quiet={quiet || undefined}>
      <code data-whole={whole || undefined} title={text.length > 120 ? text : undefined}>
        {breakable(text, placesIn(text))}
      </code>
      <CopyButton value={text} label={label} />
    </span>
  );
}
