import {
  Activity,
  Ban,
  Bell,
  CalendarClock,
  CalendarDays,
  Contact,
  Funnel,
  Globe,
  Inbox,
  KeyRound,
  LayoutGrid,
  LayoutTemplate,
  List as ListIcon,
  type LucideIcon,
  MailOpen,
  Megaphone,
  Newspaper,
  ScrollText,
  Send,
  Server,
  ServerCog,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Users,
  Workflow,
} from 'lucide-react';
import { pb } from '../lib/paths.ts';

export interface NavItem {
  label: string;
  href: string;
  icon: LucideIcon;
  /** Other words that a person may look for it by, in the palette. */
  also?: string;
  /** Only for those who run the instance. */
  operators?: true;
}

export interface NavGroup {
  label: string | undefined;
  items: readonly NavItem[];
}

/** The pages of the side bar, and of the palette. */
export const NAVIGATION: readonly NavGroup[] = [
  { label: undefined, items: [{ label: 'Overview', href: pb.overview(), icon: LayoutGrid, also: 'home statistics' }] },
  {
    label: 'Send',
    items: [
      { label: 'Emails', href: pb.emails(), icon: Send, also: 'log messages sent delivered bounced' },
      {
        label: 'Scheduled emails',
        href: pb.scheduled(),
        icon: CalendarClock,
        also: 'later delayed waiting planned reschedule send at',
      },
      { label: 'Calendar', href: pb.calendar(), icon: CalendarDays, also: 'month week planned schedule issues when' },
      { label: 'Outbox', href: pb.outbox(), icon: Inbox, also: 'captured mail preview' },
      {
        label: 'Received mail',
        href: pb.received(),
        icon: MailOpen,
        also: 'inbound incoming inbox replies answers conversations threads mx',
      },
      { label: 'Broadcasts', href: pb.broadcasts(), icon: Megaphone, also: 'campaigns mailings contacts audience' },
      { label: 'Newsletters', href: pb.newsletters(), icon: Newspaper, also: 'issues subscribers campaigns' },
      {
        label: 'Templates',
        href: pb.templates(),
        icon: LayoutTemplate,
        also: 'liquid variables layouts partials versions transactional',
      },
      {
        label: 'Automations',
        href: pb.automations(),
        icon: Workflow,
        also: 'drip sequences flows triggers steps journeys welcome simulate runs',
      },
    ],
  },
  {
    label: 'Audience',
    items: [
      {
        label: 'Contacts',
        href: pb.contacts(),
        icon: Contact,
        also: 'people customers users properties addresses bulk export',
      },
      { label: 'Lists', href: pb.lists(), icon: ListIcon, also: 'groups of contacts import file csv members' },
      { label: 'Segments', href: pb.segments(), icon: Funnel, also: 'filters conditions rules groups explain count' },
      { label: 'Suppressions', href: pb.suppressions(), icon: Ban, also: 'blocked bounces complaints unsubscribes' },
    ],
  },
  {
    label: 'Build',
    items: [
      {
        label: 'Domains',
        href: pb.domains(),
        icon: Globe,
        also: 'dns dkim spf dmarc mx bimi logo sender verify records limits receiving zone share',
      },
      { label: 'API keys', href: pb.keys(), icon: KeyRound, also: 'tokens scopes limits' },
      {
        label: 'SMTP relay',
        href: pb.relay(),
        icon: ServerCog,
        also: 'smtp host port starttls wordpress django rails laravel nodemailer postfix sessions logins',
      },
      { label: 'Webhooks', href: pb.webhooks(), icon: Bell, also: 'endpoints deliveries' },
      { label: 'Events', href: pb.events(), icon: Activity, also: 'activity' },
      { label: 'Requests', href: pb.requests(), icon: SquareTerminal, also: 'api log' },
    ],
  },
  {
    label: 'Workspace',
    items: [
      { label: 'Members', href: pb.members(), icon: Users, also: 'people invitations roles team' },
      { label: 'Audit log', href: pb.auditLog(), icon: ScrollText, also: 'history changes' },
      { label: 'Security log', href: pb.security(), icon: ShieldCheck, also: 'sign-ins' },
      {
        label: 'Settings',
        href: pb.settings(),
        icon: Settings,
        also: 'workspace name time zone tracking quota delete',
      },
      { label: 'System', href: pb.system(), icon: Server, also: 'provider doctor workers instance', operators: true },
    ],
  },
];

/** The entry of a path: `/keys/abc` belongs to "API keys". */
export const isActive = (item: NavItem, pathname: string): boolean =>
  item.href === '/' ? pathname === '/' : pathname === item.href || pathname.startsWith(`${item.href}/`);
