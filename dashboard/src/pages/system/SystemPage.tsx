import { useQuery } from '@tanstack/react-query';
import {
  checkProviderOptions,
  getHealthOptions,
  getOverviewOptions,
  getSystemOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Health, Overview, System } from '../../api/generated/types.gen.ts';
import { isForbidden } from '../../lib/api-error.ts';
import { formatBytes, formatCount } from '../../lib/number.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { ProviderChecks } from './ProviderChecks.tsx';
import classes from './system.module.css';
import { NotForOthers } from './NotForOthers.tsx';
import { SYSTEM_VIEWS } from './system-views.ts';
import { Retention } from './Retention.tsx';
import { SendingHeld } from './SendingHeld.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { Workers } from './Workers.tsx';

const POLL_MS = 5_000;
/** The size of the database changes slowly, and PostgreSQL asks for the size of every file. */
const SIZE_POLL_MS = 60_000;

/** The state of the instance, for those who run it. */
export function SystemPage() {
  const health = useQuery({ ...getHealthOptions(), refetchInterval: POLL_MS });
  const overview = useQuery({ ...getOverviewOptions(), refetchInterval: POLL_MS });
  const check = useQuery({ ...checkProviderOptions(), staleTime: 60_000 });
  const system = useQuery({ ...getSystemOptions(), refetchInterval: SIZE_POLL_MS });
  if (isForbidden(system.error)) return <NotForOthers />;
  return (
    <div className={classes['page']}>
      <PageHeader
        title="System"
        description="The provider, the queue and the processes of this server."
        actions={<CurlButton call={{ method: 'GET', path: '/instance/system', as: 'person' }} />}
      />
      <ViewLinks label="System" views={SYSTEM_VIEWS} current={SYSTEM_VIEWS[0].href} />
      {system.data?.hold != null && <SendingHeld hold={system.data.hold} />}
      <ProviderChecks
        check={check.data}
        error={check.error}
        isChecking={check.isFetching}
        onCheck={() => void check.refetch()}
      />
      <Section title="Queue and pace">
        {overview.error !== null && <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />}
        {overview.data !== undefined && <QueueState overview={overview.data} />}
      </Section>
      <Section title="Processes" description="Each process reports every few seconds.">
        {health.error !== null && <ErrorState error={health.error} onRetry={() => void health.refetch()} />}
        {health.data !== undefined && <ProcessState health={health.data} system={system.data} />}
      </Section>
      <Retention system={system} />
      <SettingsSection system={system} />
    </div>
  );
}

function QueueState({ overview: { queue, pace, provider } }: { overview: Overview }) {
  const { system, transactional, bulk } = queue.by_lane;
  const lanes = `${formatCount(system)} system, ${formatCount(transactional)} transactional, ${formatCount(bulk)} bulk`;
  const slowed = pace.stretch > 1 ? `, slowed ${pace.stretch.toFixed(1)} times after the provider throttled` : '';
  const items: Property[] = [
    { label: 'Waiting', value: `${queue.depth_is_estimate ? 'over ' : ''}${formatCount(queue.depth)} (${lanes})` },
    { label: 'Pace', value: `${pace.rate} of ${pace.full_rate} recipients a second${slowed}` },
    { label: 'Setting', value: `${pace.setting} a second (POSTHORN_SEND_RATE)` },
    {
      label: 'Empty',
      value:
        queue.estimatedDrainAt === null ? (
          (queue.estimate_reason ?? 'Nothing waits')
        ) : (
          <RelativeTime at={queue.estimatedDrainAt} />
        ),
    },
    { label: 'Last success', value: <RelativeTime at={provider.last_success_at} /> },
  ];
  return (
    <>
      {provider.paused_until !== null && (
        <Notice tone="warn">
          Nothing leaves until <RelativeTime at={provider.paused_until} />. {provider.pause_reason}
        </Notice>
      )}
      <Properties items={items} />
    </>
  );
}

function ProcessState({ health, system }: { health: Health; system: System | undefined }) {
  return (
    <>
      <Properties
        items={[
          { label: 'Version', value: health.version, copy: health.version, mono: true },
          ...(system === undefined ? [] : [{ label: 'Node.js', value: system.node_version, mono: true }]),
          { label: 'Database', value: databaseOf(system) },
          {
            label: 'Oldest due email',
            value: health.queue.depth === 0 ? 'None waits' : `waits for ${health.queue.oldest_due_seconds} s`,
          },
        ]}
      />
      <Workers workers={health.workers} />
    </>
  );
}

function databaseOf(system: System | undefined): string {
  if (system === undefined) return 'Reachable';
  const { kind, version, size_bytes } = system.database;
  const where = kind === 'embedded' ? 'embedded' : 'of DATABASE_URL';
  return `PostgreSQL ${version}, ${where}, ${formatBytes(size_bytes)} on the disk`;
}
