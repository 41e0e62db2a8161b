import { useMantineColorScheme } from '@mantine/core';
import {
  Ban,
  Bell,
  Contact,
  FileUp,
  Funnel,
  Globe,
  KeyRound,
  LayoutTemplate,
  List,
  ListChecks,
  LockKeyhole,
  LogOut,
  Megaphone,
  Moon,
  Newspaper,
  Send,
  ServerCog,
  Sun,
  UserPlus,
  UserRound,
  Workflow,
} from 'lucide-react';
import { useIsOperator } from '../../api/operator.ts';
import { pb } from '../../lib/paths.ts';
import { NAVIGATION } from '../navigation.ts';
import { useSignOut } from '../shell/UserMenu.tsx';
import { type Command, matches } from './command.ts';

/** Pages and actions. A new action of a page is one line here. */
export function useCommands(query: string): readonly Command[] {
  const isOperator = useIsOperator();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const pages: Command[] = NAVIGATION.flatMap(({ label = 'Page', items }) =>
    items
      .filter(({ operators }) => operators !== true || isOperator)
      .map((item) => ({ ...item, id: item.href, group: label })),
  );
  const group = 'Action';
  const actions: Command[] = [
    { id: 'compose', label: 'Send a test email', group, icon: Send, href: pb.compose(), also: 'compose write try' },
    {
      id: 'create-broadcast',
      label: 'Write a broadcast',
      group,
      icon: Megaphone,
      href: `${pb.broadcasts()}?add=1`,
      also: 'create new campaign mailing contacts',
    },
    { id: 'create-newsletter', label: 'Create a newsletter', group, icon: Newspaper, href: pb.newsletterNew() },
    {
      id: 'create-template',
      label: 'Create a template',
      group,
      icon: LayoutTemplate,
      href: `${pb.templates()}?add=1`,
      also: 'liquid new',
    },
    {
      id: 'add-contact',
      label: 'Add a contact',
      group,
      icon: Contact,
      href: `${pb.contacts()}?add=1`,
      also: 'person customer new',
    },
    {
      id: 'create-list',
      label: 'Create a list of contacts',
      group,
      icon: List,
      href: `${pb.lists()}?add=1`,
      also: 'new group import',
    },
    {
      id: 'create-segment',
      label: 'Create a segment',
      group,
      icon: Funnel,
      href: pb.segmentNew(),
      also: 'new filter conditions contacts',
    },
    {
      id: 'create-automation',
      label: 'Create an automation',
      group,
      icon: Workflow,
      href: `${pb.automations()}?add=1`,
      also: 'drip sequence flow new',
    },
    { id: 'imports', label: 'Open imports', group, icon: FileUp, href: pb.imports(), also: 'csv file subscribers' },
    {
      id: 'bulk-jobs',
      label: 'Open changes of many contacts',
      group,
      icon: ListChecks,
      href: pb.bulkJobs(),
      also: 'bulk undo jobs',
    },
    {
      id: 'add-domain',
      label: 'Add a domain',
      group,
      icon: Globe,
      href: `${pb.domains()}?add=1`,
      also: 'dns sender verify own',
    },
    {
      id: 'relay-sessions',
      label: 'Open the sessions of the SMTP relay',
      group,
      icon: ServerCog,
      href: pb.relayTab('sessions'),
      also: 'log refused accepted',
    },
    { id: 'create-key', label: 'Create an API key', group, icon: KeyRound, href: pb.keyNew() },
    { id: 'add-endpoint', label: 'Add a webhook endpoint', group, icon: Bell, href: pb.webhookNew() },
    {
      id: 'suppress',
      label: 'Suppress addresses',
      group,
      icon: Ban,
      href: `${pb.suppressions()}?add=1`,
      also: 'block',
    },
    {
      id: 'invite',
      label: 'Invite somebody',
      group,
      icon: UserPlus,
      href: `${pb.members()}?invite=1`,
      also: 'member team person',
    },
    {
      id: 'account',
      label: 'Open your account',
      group,
      icon: UserRound,
      href: pb.account(),
      also: 'profile name theme',
    },
    {
      id: 'own-sign-in',
      label: 'Open your password and sessions',
      group,
      icon: LockKeyhole,
      href: pb.ownSignIn(),
      also: 'security two-factor 2fa recovery codes sign in',
    },
    {
      id: 'first-steps',
      label: 'Show the first steps',
      group,
      icon: ListChecks,
      href: `${pb.overview()}?steps=1`,
      also: 'start checklist onboarding',
    },
    { id: 'dark', label: 'Use dark colours', group, icon: Moon, run: () => setColorScheme('dark'), also: 'theme' },
    { id: 'light', label: 'Use light colours', group, icon: Sun, run: () => setColorScheme('light'), also: 'theme' },
    { id: 'sign-out', label: 'Sign out', group, icon: LogOut, run: () => void signOut(), also: 'log out' },
  ];
  return [...pages, ...actions].filter((command) => matches(command, query.trim()));
}
