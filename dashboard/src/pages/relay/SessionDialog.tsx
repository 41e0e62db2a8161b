import { Skeleton } from '@mantine/core';
import type { RelayRefusal, RelaySession } from '../../api/generated/types.gen.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { TimeLine } from '../../ui/data/TimeLine.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { isAboutDomain } from './refusal-help.ts';
import classes from './relay.module.css';

interface Props {
  opened: boolean;
  /** Undefined while the dialog closes, and when the session is on another page of the list. */
  session: RelaySession | undefined;
  isRead: boolean;
  onClose: () => void;
}

/** One session: who it was, what was refused and why, and the sends of what was accepted. */
export function SessionDialog({ opened, session, isRead, onClose }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Session" size="lg">
      {session !== undefined && <Body session={session} />}
      {session === undefined && !isRead && <Skeleton height={200} />}
      {session === undefined && isRead && <Notice tone="info">This session is not on this page of the list.</Notice>}
    </LoadedDialog>
  );
}

function Body({ session }: { session: RelaySession }) {
  const { api_key: key, refusals, refused, job_ids: jobs } = session;
  return (
    <>
      <Properties
        items={[
          { label: 'API key', value: <a href={pb.key(key.id)}>{key.name}</a> },
          { label: 'From', value: session.ip, copy: session.ip, mono: true },
          { label: 'Name in EHLO', value: session.client_name },
          { label: 'Encryption', value: session.tls ?? 'None' },
          { label: 'Began', value: <RelativeTime at={session.started_at} /> },
          { label: 'Ended', value: <RelativeTime at={session.ended_at} none="Not yet" /> },
          { label: 'Accepted', value: formatCount(session.accepted) },
          { label: 'Refused', value: formatCount(refused) },
        ]}
      />
      {refusals.length > 0 && (
        <div className={classes['part']}>
          <Section
            title="Refused"
            {...(refused > refusals.length ? { description: `The first ${refusals.length} of ${refused}.` } : {})}
            plain
          >
            <TimeLine label="Refusals" entries={refusals.map(entryOf)} />
          </Section>
        </div>
      )}
      {jobs.length > 0 && (
        <div className={classes['part']}>
          <Section title="Accepted" plain>
            <ul className={classes['jobs']} aria-label="Sends">
              {jobs.map((id) => (
                <li key={id}>
                  <a href={pb.send(id)}>{id}</a>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      )}
    </>
  );
}

function entryOf(refusal: RelayRefusal, index: number) {
  const { at, stage, code, status, text } = refusal;
  return {
    id: String(index),
    at,
    tone: 'bad' as const,
    title: `${stage}: ${code} ${status}`,
    detail: (
      <>
        {text} {isAboutDomain(refusal) && <a href={pb.domains()}>Open the domains</a>}
      </>
    ),
  };
}
