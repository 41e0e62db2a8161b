import { pb } from '../../lib/paths.ts';

export const MEMBERS_VIEWS = [
  { label: 'Members', href: pb.members() },
  { label: 'Invitations', href: pb.invitations() },
] as const;
