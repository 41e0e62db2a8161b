import { Users } from 'lucide-react';
import { listMembersOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Member, Workspace } from '../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { ROLES } from '../../lib/capabilities.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { NoWorkspace } from '../../ui/NoWorkspace.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ViewLinks } from '../../ui/ViewLinks.tsx';
import { MEMBERS_VIEWS } from './members-views.ts';
import { labelOfRole, ROLE_WORDS } from './roles.ts';
import classes from './members.module.css';

const InviteMember = lazyDialog(() => import('./InviteMember.tsx').then((file) => file.InviteMember));
const MemberDialog = lazyDialog(() => import('./MemberDialog.tsx').then((file) => file.MemberDialog));

/** The people of the workspace and their roles. */
export function MembersPage() {
  const { workspace } = useSession();
  return workspace === undefined ? <NoWorkspace title="Members" /> : <Members workspace={workspace} />;
}

const OPTIONS = ROLE_WORDS.map(({ value, label }) => ({ value, label }));

function columnsFor(myId: string): readonly Column<Member>[] {
  return [
    {
      id: 'member',
      header: 'Member',
      cell: ({ user_id: id, name, email }) => (
        <span className={classes['person']}>
          <span>
            {name ?? email}
            {id === myId && <span className={classes['you']}>You</span>}
          </span>
          {name !== null && <span className={classes['address']}>{email}</span>}
        </span>
      ),
    },
    { id: 'role', header: 'Role', width: '130px', priority: 2, onPhone: true, cell: ({ role }) => labelOfRole(role) },
    {
      id: 'seen',
      header: 'Last seen',
      width: '110px',
      align: 'right',
      priority: 2,
      onPhone: ({ last_seen_at: at }) =>
        at === null ? (
          'Never seen'
        ) : (
          <>
            Seen <RelativeTime at={at} inRow />
          </>
        ),
      cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} inRow />,
    },
    {
      id: 'joined',
      header: 'Joined',
      width: '110px',
      align: 'right',
      priority: 2,
      cell: ({ joined_at }) => <RelativeTime at={joined_at} inRow />,
    },
  ];
}

function Members({ workspace: { id } }: { workspace: Workspace }) {
  const { me } = useSession();
  const whyNot = useWhyNot('workspace:manage');
  const [{ role, search, member, invite, after }, setUrl] = useUrlState([
    'role',
    'search',
    'member',
    'invite',
    'after',
  ]);
  const wanted = ROLES.find((name) => name === role);
  const list = useList((page) => listMembersOptions({ path: { id }, query: { ...page, role: wanted, search } }));
  const isFiltered = wanted !== undefined || search !== undefined;
  return (
    <>
      <ListPage
        id="members"
        title="Members"
        description="The people who work in this workspace. A change of a role counts at once."
        actions={
          <ActionButton disabledReason={whyNot} onClick={() => setUrl({ invite: '1' })}>
            Invite somebody
          </ActionButton>
        }
        list={list}
        columns={columnsFor(me.id)}
        rowKey={({ user_id: userId }) => userId}
        rowLabel={({ email }) => email}
        rowHref={({ user_id: userId }) => withQuery(pb.members(), { role, search, after, member: userId })}
        filters={
          <>
            <SearchFilter
              label="Search members"
              value={search}
              onChange={(next) => setUrl({ search: next, after: undefined })}
            />
            <SelectFilter
              label="Role"
              value={wanted}
              options={OPTIONS}
              onChange={(next) => setUrl({ role: next, after: undefined })}
            />
          </>
        }
        onClearFilters={isFiltered ? () => setUrl({ role: undefined, search: undefined, after: undefined }) : undefined}
        empty={<EmptyState icon={<Users size={20} />} title="Nobody is here" />}
        call={{ method: 'GET', path: withQuery(`/workspaces/${id}/members`, { role: wanted, search }), as: 'person' }}
      >
        <ViewLinks label="Members" views={MEMBERS_VIEWS} current={pb.members()} />
      </ListPage>
      <MemberDialog
        opened={member !== undefined}
        userId={member}
        known={list.rows?.find(({ user_id: userId }) => userId === member)}
        onClose={() => setUrl({ member: undefined })}
      />
      <InviteMember opened={invite !== undefined} onClose={() => setUrl({ invite: undefined })} />
    </>
  );
}
