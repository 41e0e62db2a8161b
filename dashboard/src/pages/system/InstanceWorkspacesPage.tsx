import { Building2 } from 'lucide-react';
import { listInstanceWorkspacesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { InstanceWorkspace } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { isForbidden } from '../../lib/api-error.ts';
import { withQuery } from '../../lib/curl.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { NotForOthers } from './NotForOthers.tsx';
import { SYSTEM_VIEWS } from './system-views.ts';

const GovernWorkspace = lazyDialog(() => import('./GovernWorkspace.tsx').then((file) => file.GovernWorkspace));

const STATES: Readonly<Record<InstanceWorkspace['status'], { tone: Tone; label: string }>> = {
  active: { tone: 'ok', label: 'Active' },
  paused: { tone: 'warn', label: 'Paused' },
  blocked: { tone: 'bad', label: 'Blocked' },
};

const COLUMNS: readonly Column<InstanceWorkspace>[] = [
  { id: 'name', header: 'Workspace', cell: ({ name }) => name },
  {
    id: 'status',
    header: 'State',
    width: '110px',
    cell: ({ status }) => <StatusBadge tone={STATES[status].tone}>{STATES[status].label}</StatusBadge>,
  },
  {
    id: 'quota',
    header: 'Quota a month',
    width: '130px',
    align: 'right',
    priority: 2,
    onPhone: ({ emails_per_month: quota }) => quota !== null && `${formatCount(quota)} emails a month`,
    cell: ({ emails_per_month }) => (emails_per_month === null ? 'None' : formatCount(emails_per_month)),
  },
  { id: 'timezone', header: 'Time zone', width: '160px', priority: 3, cell: ({ timezone }) => timezone },
  {
    id: 'created',
    header: 'Created',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Every workspace of the instance, with its state and its quota. */
export function InstanceWorkspacesPage() {
  const [{ workspace, after }, setUrl] = useUrlState(['workspace', 'after']);
  const list = useList((page) => listInstanceWorkspacesOptions({ query: page }));
  const open = list.rows?.find(({ id }) => id === workspace);
  const close = () => setUrl({ workspace: undefined });
  if (isForbidden(list.error)) return <NotForOthers />;
  return (
    <>
      <ListPage
        id="instance-workspaces"
        title="System"
        description="Every workspace of this server. Pause one to hold its mail, block it to cut it off."
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => withQuery(pb.instanceWorkspaces(), { after, workspace: id })}
        empty={<EmptyState icon={<Building2 size={20} />} title="No workspace" />}
        call={{ method: 'GET', path: '/instance/workspaces', as: 'person' }}
      >
        <ViewLinks label="System" views={SYSTEM_VIEWS} current={pb.instanceWorkspaces()} />
      </ListPage>
      <GovernWorkspace opened={open !== undefined} workspace={open} onClose={close} />
    </>
  );
}
