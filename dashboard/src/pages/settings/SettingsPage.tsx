import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getWorkspaceOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Workspace } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { actionWords } from '../../lib/action-words.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NoWorkspace } from '../../ui/NoWorkspace.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { DeleteWorkspace } from './DeleteWorkspace.tsx';
import { GeneralForm } from './GeneralForm.tsx';
import { SendingState } from './SendingState.tsx';
import classes from './settings.module.css';

/** The workspace: its name and zone, the limits it sends under, its ids, and its end. */
export function SettingsPage() {
  const { workspace } = useSession();
  return workspace === undefined ? <NoWorkspace title="Settings" /> : <Settings id={workspace.id} />;
}

function Settings({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(getWorkspaceOptions({ path: { id } }));
  return (
    <div className={classes['page']}>
      <PageHeader
        title="Settings"
        description="These settings are for everybody in this workspace. Your own settings are in your account."
        actions={<CurlButton call={{ method: 'GET', path: `/workspaces/${id}`, as: 'person' }} />}
      />
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} />}
      {data !== undefined && (
        <>
          <GeneralForm key={data.id} workspace={data} />
          <SendingState workspace={data} />
          <Identity workspace={data} />
          <DeleteWorkspace workspace={data} />
        </>
      )}
    </div>
  );
}

const Identity = ({ workspace: { id, slug, plan, edition, role, created_at: at } }: { workspace: Workspace }) => (
  <Section title="Identity" description="Names for programs and for the operator. They do not change.">
    <Properties
      items={[
        { label: 'Workspace id', value: id, copy: id, mono: true },
        { label: 'Slug', value: slug, copy: slug, mono: true },
        { label: 'Your role', value: actionWords(role) },
        { label: 'Plan', value: actionWords(plan) },
        { label: 'Edition', value: actionWords(edition) },
        { label: 'Created', value: <RelativeTime at={at} /> },
      ]}
    />
  </Section>
);
