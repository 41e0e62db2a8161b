import type { ReactNode } from 'react';
import type { DnsRecord } from '../../api/generated/types.gen.ts';
import { Notice } from '../../ui/Notice.tsx';
import { beginOf, differenceOf, endOf, shortened } from './difference.ts';
import classes from './domains.module.css';
import { mustNotReplace, otherThanWanted } from './record-state.ts';
import { spfChange } from './spf-change.ts';

/** The difference between the DNS and the wanted record, and what to do. Nothing when all is well. */
export function RecordFinding({ record }: { record: DnsRecord }) {
  const { status, hint, found_value: found } = record;
  const isWrong = status === 'mismatch' || status === 'duplicate';
  const other = otherThanWanted(record);
  if (hint === null && !isWrong && other === null) return null;
  return (
    <tr>
      <td colSpan={4} className={classes['finding']}>
        {mustNotReplace(record) ? (
          <Notice tone="warn">{hint}</Notice>
        ) : (
          <>
            {hint !== null && (
              <p
                className={classes['findingHint']}
                data-quiet={record.status === 'found' || !record.required || undefined}
              >
                {hint}
              </p>
            )}
            {isWrong && found !== null && <Comparison record={record} found={found} />}
            {other !== null && (
              <dl className={classes['comparison']}>
                <Side title="In the DNS, and right: leave it as it is">
                  <code>{other}</code>
                </Side>
              </dl>
            )}
          </>
        )}
      </td>
    </tr>
  );
}

function Comparison({ record, found }: { record: DnsRecord; found: string }) {
  const stands = found.split('\n');
  if (record.purpose === 'spf') {
    return (
      <dl className={classes['comparison']}>
        <Side title="In the DNS">{stands.map(line)}</Side>
        <Side title="To publish">
          <code>
            {spfChange(found, record.value).map(({ text, isNew }, index) => (
              <span key={index}>
                {index > 0 && ' '}
                {isNew ? <ins>{text}</ins> : text}
              </span>
            ))}
          </code>
          <span className={classes['hint']}>
            A domain has one SPF record. This one takes the place of {stands.length === 1 ? 'yours' : 'all of yours'}:
            what is there already stays, and what is marked is new.
          </span>
        </Side>
      </dl>
    );
  }
  if (stands.length > 1) {
    return (
      <dl className={classes['comparison']}>
        <Side title="In the DNS">{stands.map(line)}</Side>
      </dl>
    );
  }
  const { before, found: gone, wanted, after } = differenceOf(found, record.value);
  return (
    <dl className={classes['comparison']}>
      <Side title="In the DNS">
        <code>
          {endOf(before)}
          {gone !== '' && <del>{shortened(gone)}</del>}
          {beginOf(after)}
        </code>
      </Side>
      <Side title="Wanted">
        <code>
          {endOf(before)}
          {wanted !== '' && <ins>{shortened(wanted)}</ins>}
          {beginOf(after)}
        </code>
      </Side>
    </dl>
  );
}

const line = (text: string, index: number) => <code key={index}>{shortened(text)}</code>;

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
