import type { Composition } from '#features/compositions';
import { messagesOf } from '#features/reader-pages';
import { FIRST_NAME, findWorkspaceName } from '#features/workspaces';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { say } from '#platform/pages/say-text.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { contactLinkUrl } from './contact-link.ts';
import { contactOfReader, contactVariables, KNOWN_PATHS, OF_CONTACT } from './contact-variables.ts';
import type { FilledBroadcast } from './texts-of-broadcast.ts';

const NAMES: Composition['names'] = {
  mail: 'broadcast',
  list: 'workspace',
  readers: 'contacts',
  html: 'html',
  text: 'text',
  sender: 'from',
};

type Composing = Pick<BroadcastsCtx, 'db' | 'workspaceId' | 'settings'>;

/** A broadcast as mail to many. `tracking`: of the workspace, for what the broadcast leaves open. */
export async function broadcastComposition(
  ctx: Composing,
  broadcast: FilledBroadcast,
  tracking: { opens: boolean; clicks: boolean },
): Promise<Composition> {
  const { workspaceId, settings } = ctx;
  const sender = await senderName(ctx, broadcast);
  const { footer } = messagesOf('en');
  const { subject, preheader, html, text, pinned } = broadcast;
  return {
    id: broadcast.id,
    written: { subject, preheader, html, text, pinned },
    list: { workspaceId, id: workspaceId, name: sender, slug: `contacts-${workspaceId}` },
    frame: {
      language: 'en',
      mark: { name: sender, accentColor: null, logoUrl: null },
      sender,
      postalAddress: null,
      words: { ...footer, reason: say(footer.contactReason, { sender }), preferences: null },
      viewUrl: '',
    },
    tracking: { opens: broadcast.trackOpens ?? tracking.opens, clicks: broadcast.trackClicks ?? tracking.clicks },
    tags: broadcast.tags,
    variablesOf: (reader, links) =>
      contactVariables(contactOfReader(reader), links, { name: broadcast.name, shared: broadcast.variables }),
    knownPaths: [...KNOWN_PATHS, ...Object.keys(broadcast.variables)],
    ofReader: OF_CONTACT,
    deadLinks: (token) => deadLinks(settings.dashboardUrl, token),
    names: NAMES,
  };
}

const deadLinks = (dashboardUrl: string, token: string) => {
  const url = contactLinkUrl(dashboardUrl, token);
  return { unsubscribeUrl: url, preferencesUrl: url };
};

/** The sender as readers know it: the name beside its address, else the workspace's, else its domain. */
export async function senderName(
  { db, workspaceId }: Pick<Composing, 'db' | 'workspaceId'>,
  { sender }: Pick<FilledBroadcast, 'sender'>,
): Promise<string> {
  const from = sender === null ? null : parseMailbox(sender);
  if (from?.name != null) return from.name;
  const name = await findWorkspaceName(db, workspaceId);
  return name === undefined || name === FIRST_NAME ? (from?.domain ?? 'Posthorn') : name;
}
