import { Skeleton } from '@mantine/core';
import type { DnsLookup, DomainCheck } from '../../api/generated/types.gen.ts';
import { exactTime } from '../../lib/time.ts';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { OUTCOMES } from './check-outcomes.ts';
import classes from './domains.module.css';
import { labelOfKey, recordState, ttlWords } from './record-state.ts';

interface Props {
  opened: boolean;
  /** Undefined while the dialog closes, and when the check is on another page of the list. */
  check: DomainCheck | undefined;
  isRead: boolean;
  onClose: () => void;
}

/** One check: how it judged each record, and the evidence, server by server. */
export function CheckDialog({ opened, check, isRead, onClose }: Props) {
  return (
    <LoadedDialog
      opened={opened}
      onClose={onClose}
      title={check ? `Check of ${exactTime(check.at)}` : 'Check'}
      size="xl"
    >
      {check !== undefined && <Body check={check} />}
      {check === undefined && !isRead && <Skeleton height={240} />}
      {check === undefined && isRead && <Notice tone="info">This check is not on this page of the list.</Notice>}
    </LoadedDialog>
  );
}

function Body({ check: { outcome, reason, requested, records, lookups } }: { check: DomainCheck }) {
  return (
    <>
      <div className={classes['checkHead']}>
        <Notice tone={OUTCOMES[outcome].tone}>
          <b>{OUTCOMES[outcome].label}.</b> {reason ?? 'The records that a domain needs were there.'}{' '}
          {requested ? 'Somebody asked for this check.' : 'It was made in the background.'}
        </Notice>
      </div>
      <Section title="Records" plain>
        <ul className={classes['judged']} aria-label="Records">
          {records.map(({ key, status, hint }) => {
            // Which records are needed is told by the record of the domain, and not by its checks.
            const purpose = key.split(' ')[0] === 'mx' ? 'mx' : 'dkim';
            const isNeeded = /^(?:dkim|spf)\b/.test(key);
            const state = recordState({ purpose, status, required: isNeeded });
            return (
              <li key={key}>
                <b>{labelOfKey(key)}</b>
                <StatusBadge tone={state.tone}>{state.label}</StatusBadge>
                {hint !== null && <span>{hint}</span>}
              </li>
            );
          })}
        </ul>
      </Section>
      <Section title="Evidence" description="Each DNS server that was asked, and its answer." plain>
        {lookups.map((lookup) => (
          <Lookup key={`${lookup.type} ${lookup.name}`} lookup={lookup} />
        ))}
      </Section>
    </>
  );
}

function Lookup({ lookup: { name, type, reason, answers } }: { lookup: DnsLookup }) {
  return (
    <div className={classes['lookup']}>
      <h3>
        <code>
          {type} {name}
        </code>
      </h3>
      {reason !== null && <p className={classes['findingHint']}>{reason}</p>}
      {answers.length > 0 && (
        <table className={classes['answers']} aria-label={`Answers for ${type} ${name}`}>
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Answer</th>
              <th scope="col">TTL</th>
            </tr>
          </thead>
          <tbody>
            {answers.map(({ server, values, ttl, error }) => (
              <tr key={server}>
                <th scope="row">{server}</th>
                <td>
                  {values === null ? (error ?? 'No answer') : values.length === 0 ? 'No such record' : null}
                  {values?.map((value, index) => (
                    <code key={index}>{value}</code>
                  ))}
                </td>
                <td>{ttl === null ? '—' : ttlWords(ttl)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
