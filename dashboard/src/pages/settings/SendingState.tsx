import { Progress, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getOverviewOptions, getWorkspaceUsageOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Overview, Workspace, WorkspaceUsage } from '../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import classes from './settings.module.css';

const STATES: Readonly<Record<Workspace['status'], { tone: Tone; label: string; reason: string | undefined }>> = {
  active: { tone: 'ok', label: 'Active', reason: undefined },
  paused: {
    tone: 'warn',
    label: 'Paused',
    reason: 'The operator has paused this workspace: sends are refused with 403, and waiting mail is held.',
  },
  blocked: {
    tone: 'bad',
    label: 'Blocked',
    reason: 'The operator has blocked this workspace: the API answers 403, and waiting mail was cancelled.',
  },
};

/** All that can hold mail back: the operator, the quota, the provider, and sends that are paused. */
export function SendingState({ workspace }: { workspace: Workspace }) {
  const usage = useQuery(getWorkspaceUsageOptions({ path: { id: workspace.id } }));
  const isBlocked = workspace.status === 'blocked';
  const overview = useQuery({ ...getOverviewOptions(), enabled: !isBlocked });
  const state = STATES[workspace.status];
  const error = usage.error ?? overview.error;
  const retry = () => {
    void usage.refetch();
    if (!isBlocked) void overview.refetch();
  };
  return (
    <Section
      title="Sending"
      description="The limits in force. The operator of the server sets them."
      actions={<StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
    >
      <div className={classes['notices']}>
        {state.reason !== undefined && <Notice tone={state.tone}>{state.reason}</Notice>}
        {usage.data !== undefined && <QuotaNotice usage={usage.data} />}
        {overview.data !== undefined && <Gates overview={overview.data} />}
        {error !== null && <ErrorState error={error} onRetry={retry} />}
      </div>
      {usage.data === undefined ? (
        usage.error === null && <Skeleton height={140} />
      ) : (
        <Properties
          items={[
            { label: 'Quota', value: <Quota usage={usage.data} /> },
            { label: 'Limits of a program', value: <a href={pb.keys()}>Each API key has its own</a> },
            ...(overview.data === undefined ? [] : [{ label: 'Pace', value: paceOf(overview.data) }]),
            ...(overview.data === undefined ? [] : [{ label: 'Provider', value: providerOf(overview.data) }]),
          ]}
        />
      )}
    </Section>
  );
}

function Quota({ usage: { emails_per_month: quota, used, resets_at: at } }: { usage: WorkspaceUsage }): ReactNode {
  if (quota === null || used === null) return 'None';
  return (
    <span className={classes['quota']}>
      <span>
        {formatCount(used)} of {formatCount(quota)} recipients this month (UTC), which ends <RelativeTime at={at} />
      </span>
      <Progress
        value={quota === 0 ? 100 : Math.min(100, (used / quota) * 100)}
        size="sm"
        color={used >= quota ? 'red' : 'accent'}
        aria-label="Used part of the quota"
      />
    </span>
  );
}

function QuotaNotice({ usage: { emails_per_month: quota, remaining, resets_at: at } }: { usage: WorkspaceUsage }) {
  if (quota === null || remaining === null || remaining > 0) return null;
  return (
    <Notice tone="warn">
      The quota is used up: sends are refused with 403, and issues wait. It is {formatCount(quota)} again{' '}
      <RelativeTime at={at} />.
    </Notice>
  );
}

/** The reasons why mail waits although the workspace is active. */
function Gates({ overview: { provider, paused_sends: paused, workers } }: { overview: Overview }) {
  return (
    <>
      {workers.alive === 0 && <Notice tone="bad">No worker is running, so nothing is sent.</Notice>}
      {provider.paused_until !== null && (
        <Notice tone="warn">
          {provider.pause_reason ?? 'The provider asked for a pause.'} Sending continues{' '}
          <RelativeTime at={provider.paused_until} />.
        </Notice>
      )}
      {paused.length > 0 && (
        <Notice tone="warn">
          {counted(paused.length, 'issue is', 'issues are')} paused. <a href={pb.overview()}>The Overview</a> says why.
        </Notice>
      )}
    </>
  );
}

const paceOf = ({ pace }: Overview): string =>
  `${formatCount(pace.rate)} recipients a second, shared by every workspace of the server`;

const providerOf = ({ provider: { name } }: Overview): string =>
  name === 'capture' ? 'None: mail is captured in the Outbox, and nothing leaves this server' : name.toUpperCase();
