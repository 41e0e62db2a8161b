import { pb } from '../../lib/paths.ts';

export const SYSTEM_VIEWS = [
  { label: 'State', href: pb.system() },
  { label: 'Workspaces', href: pb.instanceWorkspaces() },
] as const;
