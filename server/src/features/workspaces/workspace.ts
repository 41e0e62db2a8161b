import { readZone } from '#platform/time/zones.ts';
import type { Role } from './permissions/role-permissions.ts';

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  timezone: string;
  plan: string;
  status: 'active' | 'paused' | 'blocked';
  isHome: boolean;
  /** For sends that do not say. */
  trackOpens: boolean;
  trackClicks: boolean;
  /** For the footer of mail to contacts. */
  postalAddress: string | null;
  /** The quota of its plan: recipients a calendar month (UTC). null: none. */
  emailsPerMonth: number | null;
  createdAt: Date;
}

export interface Membership extends Workspace {
  role: Role;
}

export const workspaceView = (workspace: Workspace, edition: string) => ({
  id: workspace.id,
  name: workspace.name,
  slug: workspace.slug,
  timezone: workspace.timezone,
  plan: workspace.plan,
  edition,
  status: workspace.status,
  is_home: workspace.isHome,
  track_opens: workspace.trackOpens,
  track_clicks: workspace.trackClicks,
  postal_address: workspace.postalAddress,
  emails_per_month: workspace.emailsPerMonth,
  created_at: workspace.createdAt.toISOString(),
});

/** A workspace as one of its members sees it: with what they are there. */
export const membershipView = (membership: Membership, edition: string) => ({
  ...workspaceView(membership, edition),
  role: membership.role,
});

const SLUG_CHARS_MAX = 48;

/** `Acme & Söhne GmbH` → `acme-sohne-gmbh`. Never empty. */
export function slugFromName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS_MAX)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'workspace' : slug;
}

/** A zone by any name that it had; it is kept under the one of today, which every other field takes too. */
export const readTimezone = (name: string): string => readZone('timezone', name);
