import { pb } from '../../lib/paths.ts';

export const ACCOUNT_VIEWS = [
  { label: 'Profile', href: pb.account() },
  { label: 'Sign-in', href: pb.ownSignIn() },
] as const;
