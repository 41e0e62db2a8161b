import { NotForRole } from '../../ui/NotForRole.tsx';

/** In place of each page of the system, for a person who does not run the server. */
export function NotForOthers() {
  return (
    <NotForRole
      title="System"
      description="The provider, the queue and the processes of this server."
      reason="You may not see this page. The owners of the first workspace of this server may: they run it."
    />
  );
}
