import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getAutomationOptions, getAutomationRunOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { AutomationRun } from '../../../api/generated/types.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { JsonView } from '../../../ui/code/JsonView.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Properties, type Property } from '../../../ui/record/Properties.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { CancelRuns } from './CancelRuns.tsx';
import { RunSteps } from './RunSteps.tsx';
import { placeOf, RUN_STATES } from './run-state.ts';

const POLL_MS = 3_000;

/** The run of one person: each step with what came of it. */
export function RunPage() {
  const { id = '', runId = '' } = useParams({ strict: false });
  const { data: automation } = useQuery(getAutomationOptions({ path: { id } }));
  const { data, error, refetch } = useQuery({
    ...getAutomationRunOptions({ path: { id, runId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? POLL_MS : false),
  });
  const state = data && RUN_STATES[data.status];
  return (
    <RecordPage
      title={data?.email}
      description={data && `${placeOf(data)}. It goes through version ${data.version}.`}
      crumbs={[
        { label: 'Automations', href: pb.automations() },
        { label: automation?.name ?? 'Automation', href: pb.automationTab(id, 'runs') },
      ]}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      actions={
        data && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/automations/${id}/runs/${runId}` }} />
            {data.status === 'active' && <CancelRuns automationId={id} email={data.email} />}
          </>
        )
      }
      notice={
        data?.held === true && (
          <Notice tone="warn">
            It is held where it is: its automation is disabled, or the workspace is not active.
          </Notice>
        )
      }
      error={error}
      onRetry={() => void refetch()}
    >
      {data && (
        <>
          <Section title="Steps" plain>
            <RunSteps run={data} />
          </Section>
          <Section title="Run">
            <Properties items={propertiesOf(data)} />
          </Section>
          {Object.keys(data.payload).length > 0 && (
            <Section title="Payload" description="What the event brought." plain>
              <JsonView value={data.payload} label="the payload" maxHeight={360} />
            </Section>
          )}
        </>
      )}
    </RecordPage>
  );
}

function propertiesOf(run: AutomationRun): Property[] {
  return [
    { label: 'Began', value: <RelativeTime at={run.started_at} /> },
    ...(run.next_at === null ? [] : [{ label: 'Goes on', value: <RelativeTime at={run.next_at} /> }]),
    { label: 'Ended', value: <RelativeTime at={run.ended_at} none="Not yet" /> },
    ...(run.newsletter_id === null
      ? []
      : [{ label: 'Newsletter', value: <a href={pb.newsletter(run.newsletter_id)}>The newsletter of the trigger</a> }]),
    ...(run.correlation === null ? [] : [{ label: 'Told apart by', value: run.correlation, mono: true }]),
    ...(run.test ? [{ label: 'Test', value: 'It counts in no figures.' }] : []),
    { label: 'Id', value: run.id, copy: run.id, mono: true },
  ];
}
