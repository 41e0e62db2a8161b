import type { Domain } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { DkimKeys } from './dkim/DkimKeys.tsx';
import { DnsHostSteps } from './publish/DnsHostSteps.tsx';
import { isSandbox, whatNext } from './domain-state.ts';
import classes from './domains.module.css';
import { DownloadZone } from './publish/DownloadZone.tsx';
import { RecordsTable } from './RecordsTable.tsx';
import { ShareRecords } from './publish/ShareRecords.tsx';
import { useCheckNow } from './use-check-now.ts';

interface Props {
  domain: Domain;
  /** Why the person may not change domains. */
  whyNot: string | undefined;
}

/** The next step in words, the records to publish with the steps to do so, a check of them, and the keys. */
export function RecordsTab({ domain, whyNot }: Props) {
  const next = whatNext(domain);
  const whyNotSend = useWhyNot('emails:send');
  return (
    <div className={classes['tab']}>
      <Notice
        tone={next.tone}
        action={
          next.tone === 'ok' && (
            <ActionButton
              variant="default"
              size="xs"
              href={pb.composeFrom(`hello@${domain.domain}`)}
              disabledReason={whyNotSend}
            >
              Send a test email
            </ActionButton>
          )
        }
      >
        <b>{next.title}</b> {next.text}
      </Notice>
      {!isSandbox(domain) && (
        <>
          {isToPublish(domain) && <DnsHostSteps host={domain.dns_host} isChecked={domain.last_checked_at !== null} />}
          <CheckBar domain={domain} whyNot={whyNot} />
          <RecordsTable domain={domain.domain} records={domain.dns_records} />
          <div className={classes['handing']}>
            <ShareRecords domain={domain} whyNot={whyNot} />
            <DownloadZone id={domain.id} domain={domain.domain} />
          </div>
          <DkimKeys domain={domain} whyNot={whyNot} />
        </>
      )}
      <Properties
        items={[
          { label: 'Sending', value: domain.sending_enabled ? 'On' : 'Off' },
          { label: 'Region', value: domain.provider_region },
          { label: 'Opens and clicks', value: trackingOf(domain) },
          { label: 'Verified', value: <RelativeTime at={domain.verified_at} none="Not yet" /> },
          { label: 'Added', value: <RelativeTime at={domain.created_at} /> },
          { label: 'Id', value: domain.id, copy: domain.id, mono: true },
        ]}
      />
    </div>
  );
}

/** A verified domain has its records, but for the one of a next key. */
const isToPublish = ({ dkim_status: status, dns_records: records }: Domain): boolean =>
  status !== 'verified' || records.some(({ dkim_key: key }) => key === 'next');

function CheckBar({ domain, whyNot }: Props) {
  const { check, isChecking, rest } = useCheckNow(domain);
  return (
    <div className={classes['checkBar']}>
      <h2 className={classes['heading']}>Records to publish</h2>
      <span className={classes['quiet']}>
        {domain.last_checked_at === null ? (
          'Not checked yet'
        ) : (
          <>
            Checked <RelativeTime at={domain.last_checked_at} />
          </>
        )}
        <NextCheck at={domain.next_check_at} />
      </span>
      <ActionButton
        variant={domain.dkim_status === 'verified' ? 'default' : 'filled'}
        loading={isChecking}
        disabledReason={whyNot ?? (isChecking ? undefined : rest)}
        onClick={check}
      >
        Check now
      </ActionButton>
    </div>
  );
}

/** Nothing for a domain that is checked only when somebody asks. */
function NextCheck({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <>
      , next <RelativeTime at={at} isAhead />
    </>
  );
}

function trackingOf({ tracking: { opens, clicks } }: Domain): string {
  if (opens && clicks) return 'Both are tracked';
  if (!opens && !clicks) return 'Not tracked';
  return opens ? 'Opens are tracked' : 'Clicks are tracked';
}
