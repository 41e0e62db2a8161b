import { MailPlus } from 'lucide-react';
import { listInvitesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Invite, Workspace } from '../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { NoWorkspace } from '../../ui/NoWorkspace.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { InviteActions } from './InviteActions.tsx';
import { MEMBERS_VIEWS } from './members-views.ts';
import { labelOfRole } from './roles.ts';

const InviteMember = lazyDialog(() => import('./InviteMember.tsx').then((file) => file.InviteMember));

/** Invitations that nobody has accepted yet. Only those who manage the workspace may read them. */
export function InvitationsPage() {
  const { workspace } = useSession();
  const whyNot = useWhyNot('workspace:manage');
  if (workspace === undefined) return <NoWorkspace title="Invitations" />;
  if (whyNot === undefined) return <Invitations workspace={workspace} />;
  return (
    <>
      <PageHeader title="Invitations" description={DESCRIPTION} actions={<InviteButton whyNot={whyNot} />} />
      <ViewLinks label="Members" views={MEMBERS_VIEWS} current={pb.invitations()} />
      <Notice tone="quiet">{whyNot}</Notice>
    </>
  );
}

const DESCRIPTION = 'People who were invited and have not accepted yet.';

const InviteButton = ({ whyNot, onClick }: { whyNot?: string; onClick?: () => void }) => (
  <ActionButton disabledReason={whyNot} {...(onClick === undefined ? {} : { onClick })}>
    Invite somebody
  </ActionButton>
);

const isOver = ({ expires_at: at }: Invite): boolean => Date.parse(at) <= Date.now();

const State = ({ invite }: { invite: Invite }) => (
  <StatusBadge tone={isOver(invite) ? 'warn' : 'info'}>{isOver(invite) ? 'Expired' : 'Open'}</StatusBadge>
);

const COLUMNS: readonly Column<Invite>[] = [
  {
    id: 'email',
    header: 'Address',
    cell: ({ email }) => email,
  },
  { id: 'role', header: 'Role', width: '110px', priority: 2, onPhone: true, cell: ({ role }) => labelOfRole(role) },
  { id: 'state', header: 'State', width: '100px', priority: 2, cell: (invite) => <State invite={invite} /> },
  {
    id: 'by',
    header: 'Invited by',
    width: '180px',
    priority: 3,
    cell: ({ invited_by_email: by }) => by ?? 'Somebody who has left',
  },
  {
    id: 'expires',
    header: 'Expires',
    width: '100px',
    align: 'right',
    priority: 2,
    onPhone: (invite) => (
      <>
        {isOver(invite) ? 'Expired' : 'Expires'} <RelativeTime at={invite.expires_at} inRow />
      </>
    ),
    cell: ({ expires_at }) => <RelativeTime at={expires_at} inRow />,
  },
  {
    id: 'actions',
    header: 'Actions',
    // Beside each other, and below each other on a phone (members.module.css).
    width: 'max(120px, min(212px, 33cqw))',
    align: 'right',
    cell: (invite) => <InviteActions invite={invite} />,
  },
];

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'expired', label: 'Expired' },
] as const;

function Invitations({ workspace: { id } }: { workspace: Workspace }) {
  const [{ state, invite }, setUrl] = useUrlState(['state', 'invite', 'after']);
  const wanted = STATES.find(({ value }) => value === state)?.value;
  const query = { state: wanted ?? ('all' as const) };
  const list = useList((page) => listInvitesOptions({ path: { id }, query: { ...page, ...query } }));
  const open = () => setUrl({ invite: '1' });
  return (
    <>
      <ListPage
        id="invitations"
        title="Invitations"
        description={DESCRIPTION}
        actions={<InviteButton onClick={open} />}
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowLabel={({ email }) => email}
        filters={
          <SelectFilter
            label="State"
            value={wanted}
            options={STATES}
            onChange={(next) => setUrl({ state: next, after: undefined })}
          />
        }
        onClearFilters={wanted === undefined ? undefined : () => setUrl({ state: undefined, after: undefined })}
        empty={
          <EmptyState
            icon={<MailPlus size={20} />}
            title="No invitation is waiting"
            action={<InviteButton onClick={open} />}
          >
            An invitation stays here until it is accepted or withdrawn.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery(`/workspaces/${id}/invites`, query), as: 'person' }}
      >
        <ViewLinks label="Members" views={MEMBERS_VIEWS} current={pb.invitations()} />
      </ListPage>
      <InviteMember opened={invite !== undefined} onClose={() => setUrl({ invite: undefined })} />
    </>
  );
}
