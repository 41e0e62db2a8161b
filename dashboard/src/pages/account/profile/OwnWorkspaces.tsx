import { chooseWorkspace } from '../../../api/active-workspace.ts';
import { useSession } from '../../../api/session.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Section } from '../../../ui/Section.tsx';
import classes from '../account.module.css';
import { NewWorkspace } from './NewWorkspace.tsx';

/** Where the person works, and as what. */
export function OwnWorkspaces() {
  const { me, workspace, workspaces } = useSession();
  const enter = (id: string, path: string) => {
    chooseWorkspace(id);
    // As everywhere: another workspace is a new load of the page.
    window.location.assign(path);
  };
  return (
    <Section title="Workspaces" description="You can leave one on its page of members." actions={<NewWorkspace />}>
      {workspaces.length === 0 && <p className={classes['note']}>You are in no workspace. Somebody can invite you.</p>}
      <ul className={classes['rows']}>
        {workspaces.map(({ id, name, role }) => (
          <li key={id} className={classes['row']}>
            <div>
              <div className={classes['rowTitle']}>
                {name}
                {id === workspace?.id && <span className={classes['here']}>Open now</span>}
              </div>
              <div className={classes['rowText']}>You are {role}</div>
            </div>
            <span className={classes['rowActions']}>
              <ActionButton
                variant="default"
                size="xs"
                aria-label={`Open ${name}`}
                disabledReason={id === workspace?.id ? 'You are in it now.' : undefined}
                onClick={() => enter(id, pb.overview())}
              >
                Open
              </ActionButton>
              <ActionButton
                variant="default"
                size="xs"
                aria-label={`Leave ${name} …`}
                onClick={() => enter(id, withQuery(pb.members(), { member: me.id }))}
              >
                Leave …
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
