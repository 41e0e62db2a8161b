import { useQuery } from '@tanstack/react-query';
import { listInstanceWorkspacesOptions } from './generated/@tanstack/react-query.gen.ts';
import { useSession } from './session.ts';

/** Whether the person runs the instance. Only an owner can, so nobody else is asked about. */
export function useIsOperator(): boolean {
  const { workspaces } = useSession();
  const { isSuccess } = useQuery({
    ...listInstanceWorkspacesOptions({ query: { limit: '1' } }),
    enabled: workspaces.some(({ role }) => role === 'owner'),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return isSuccess;
}
