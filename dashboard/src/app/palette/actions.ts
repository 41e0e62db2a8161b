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
  type LucideIcon,
  Megaphone,
  Newspaper,
  Pause,
  RotateCcwKey,
  Send,
  ServerCog,
  UserPlus,
  UserRound,
  Workflow,
} from 'lucide-react';
import type { Action } from '../../lib/capabilities.ts';
import { pb } from '../../lib/paths.ts';

interface PageAction {
  label: string;
  icon: LucideIcon;
  href: string;
  /** Other words to find it by. */
  also?: string;
  /** The role must allow this; otherwise the action is shown with the reason. */
  needs?: Action;
  /** Shown to the operators of the instance only, like the page that it leads to. */
  operators?: true;
}

/** Actions that lead to a page, or to its dialog. */
export const PAGE_ACTIONS: readonly PageAction[] = [
  { label: 'Send a test email', icon: Send, href: pb.compose(), also: 'compose write try', needs: 'emails:send' },
  {
    label: 'Write a broadcast',
    icon: Megaphone,
    href: `${pb.broadcasts()}?add=1`,
    also: 'create new campaign mailing contacts',
    needs: 'broadcasts:write',
  },
  { label: 'Create a newsletter', icon: Newspaper, href: pb.newsletterNew(), needs: 'newsletters:write' },
  {
    label: 'Create a template',
    icon: LayoutTemplate,
    href: `${pb.templates()}?add=1`,
    also: 'liquid new',
    needs: 'templates:write',
  },
  {
    label: 'Add a contact',
    icon: Contact,
    href: `${pb.contacts()}?add=1`,
    also: 'person customer new',
    needs: 'contacts:write',
  },
  {
    label: 'Create a list of contacts',
    icon: List,
    href: `${pb.lists()}?add=1`,
    also: 'new group import',
    needs: 'contacts:write',
  },
  {
    label: 'Create a segment',
    icon: Funnel,
    href: pb.segmentNew(),
    also: 'new filter conditions contacts',
    needs: 'contacts:write',
  },
  {
    label: 'Create an automation',
    icon: Workflow,
    href: `${pb.automations()}?add=1`,
    also: 'drip sequence flow new',
    needs: 'automations:write',
  },
  { label: 'Open imports', icon: FileUp, href: pb.imports(), also: 'csv file subscribers' },
  { label: 'Open changes of many contacts', icon: ListChecks, href: pb.bulkJobs(), also: 'bulk undo jobs' },
  {
    label: 'Add a domain',
    icon: Globe,
    href: `${pb.domains()}?add=1`,
    also: 'dns sender verify own',
    needs: 'domains:write',
  },
  {
    label: 'Open the sessions of the SMTP relay',
    icon: ServerCog,
    href: pb.relayTab('sessions'),
    also: 'log refused accepted',
  },
  { label: 'Create an API key', icon: KeyRound, href: pb.keyNew(), needs: 'api_keys:write' },
  {
    label: 'Rotate an API key',
    icon: RotateCcwKey,
    href: pb.keys(),
    also: 'replace renew secret choose',
    needs: 'api_keys:write',
  },
  { label: 'Add a webhook endpoint', icon: Bell, href: pb.webhookNew(), needs: 'webhooks:write' },
  {
    label: 'Suppress addresses',
    icon: Ban,
    href: `${pb.suppressions()}?add=1`,
    also: 'block',
    needs: 'suppressions:write',
  },
  {
    label: 'Invite somebody',
    icon: UserPlus,
    href: `${pb.members()}?invite=1`,
    also: 'member team person',
    needs: 'workspace:manage',
  },
  {
    label: 'Open the state of sending',
    icon: Pause,
    href: pb.settings(),
    also: 'paused pause resume held stop quota provider',
  },
  {
    label: 'Pause or resume a workspace',
    icon: Pause,
    href: pb.instanceWorkspaces(),
    also: 'sending hold stop block activate operator',
    operators: true,
  },
  { label: 'Open your account', icon: UserRound, href: pb.account(), also: 'profile name theme' },
  {
    label: 'Open your password and sessions',
    icon: LockKeyhole,
    href: pb.ownSignIn(),
    also: 'security two-factor 2fa recovery codes sign in',
  },
  {
    label: 'Show the first steps',
    icon: ListChecks,
    href: `${pb.overview()}?steps=1`,
    also: 'start checklist onboarding',
  },
];
