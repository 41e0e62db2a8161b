import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { LaterMenu } from '../../ui/menu/LaterMenu.tsx';
import { enterWorkspace } from './enter-workspace.ts';
import classes from './Shell.module.css';

export function WorkspaceMenu() {
  const { workspace, workspaces } = useSession();
  return (
    <LaterMenu
      position="bottom-start"
      width={236}
      target={
        <button type="button" className={classes['workspace']} aria-label={`Workspace: ${workspace?.name ?? 'none'}`}>
          <span className={classes['initial']} data-letter={(workspace?.name ?? '?').slice(0, 1).toUpperCase()} />
          <span className={classes['name']}>{workspace?.name ?? 'No workspace'}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name, role }) => (
            <Menu.Item
              key={id}
              onClick={() => enterWorkspace(id)}
              rightSection={id === workspace?.id ? <Check size={14} aria-label="active" /> : undefined}
            >
              {name} <span className={classes['role']}>{role}</span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            component="a"
            href={withQuery(pb.account(), { dialog: 'workspace' })}
            leftSection={<Plus size={14} />}
          >
            Create a workspace
          </Menu.Item>
        </>
      )}
    </LaterMenu>
  );
}
