import { useQuery } from '@tanstack/react-query';
import { Building2, Newspaper, RotateCcwKey } from 'lucide-react';
import { listApiKeysOptions, listNewslettersOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { useSession } from '../../api/session.ts';
import { whyNot } from '../../lib/capabilities.ts';
import { pb } from '../../lib/paths.ts';
import { useNewIssue } from '../../pages/newsletters/use-new-issue.ts';
import { enterWorkspace } from '../shell/enter-workspace.ts';
import { ACTION, type Command, matches } from './command.ts';

/** Of each action. The rest is found by more words. */
const SHOWN = 5;
/** The lists are read once for all that is typed meanwhile. */
const read = { staleTime: 60_000, retry: false } as const;

/**
 * Actions on one of several records: an issue of a newsletter, another key for one, another workspace. They need words,
 * because without any they would fill the list. Undefined until the records are read.
 */
export function useChoices(query: string): readonly Command[] | undefined {
  const { workspace, workspaces } = useSession();
  const newIssue = useNewIssue();
  const enabled = query.length > 1;
  const newsletters = useQuery({ ...listNewslettersOptions({ query: { limit: '100' } }), ...read, enabled });
  const keys = useQuery({ ...listApiKeysOptions({ query: { limit: '100' } }), ...read, enabled });
  if (!enabled) return [];
  if (newsletters.isPending || keys.isPending) return undefined;
  const role = workspace?.role;
  const issues = (newsletters.data?.data ?? []).map(({ id, name }) => ({
    id: `new-issue-${id}`,
    label: `New issue of ${name}`,
    also: 'write create draft newsletter',
    group: ACTION,
    icon: Newspaper,
    run: () => newIssue.mutate(id),
    disabledReason: whyNot(role, 'issues:write'),
  }));
  const rotations = (keys.data?.data ?? [])
    .filter(({ revoked_at }) => revoked_at === null)
    .map(({ id, name }) => ({
      id: `rotate-${id}`,
      label: `Rotate the API key ${name}`,
      also: 'replace renew secret',
      group: ACTION,
      icon: RotateCcwKey,
      href: `${pb.key(id)}?dialog=rotate`,
      disabledReason: whyNot(role, 'api_keys:write'),
    }));
  const others = workspaces
    .filter(({ id }) => id !== workspace?.id)
    .map(({ id, name }) => ({
      id: `switch-${id}`,
      label: `Switch to ${name}`,
      also: 'workspace change other',
      group: ACTION,
      icon: Building2,
      run: () => enterWorkspace(id),
    }));
  return [issues, rotations, others].flatMap((kind) =>
    kind.filter((command) => matches(command, query)).slice(0, SHOWN),
  );
}
