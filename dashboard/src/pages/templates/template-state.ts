import type { TemplateSummary, TemplateVersion } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** The operations whose answers a change of a template makes stale. */
export const TEMPLATE_CHANGES = [
  'listTemplates',
  'getTemplate',
  'listTemplateVersions',
  'listUsersOfTemplate',
  'renderedTemplate',
] as const;

type Versions = Pick<TemplateSummary, 'version' | 'published_version'>;

/** The state of a template in two words, for its badge. */
export function stateOf({ version, published_version: published }: Versions): { tone: Tone; words: string } {
  if (published === null) return { tone: 'quiet', words: 'Draft' };
  return published === version ? { tone: 'ok', words: 'Published' } : { tone: 'info', words: 'Newer version waits' };
}

/** The versions in a sentence. */
export function versionWords({ version, published_version: published }: Versions): string {
  if (published === null) return `Version ${version} is a draft. Sends cannot use it yet.`;
  if (published === version) return `Version ${version} sends.`;
  return `Version ${published} sends. Version ${version} is the newest.`;
}

export const VERSION_STATES: Readonly<Record<TemplateVersion['status'], { tone: Tone; words: string }>> = {
  draft: { tone: 'quiet', words: 'Draft' },
  published: { tone: 'ok', words: 'Published' },
  superseded: { tone: 'info', words: 'Published before' },
};
