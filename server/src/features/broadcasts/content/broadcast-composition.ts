import type { Composition } from '#features/compositions';
import { deadLinksOfNewsletter, type Newsletter } from '#features/newsletters';
import { messagesOf } from '#features/reader-pages';
import { findWorkspaceWords } from '#features/workspaces';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { say } from '#platform/pages/say-text.ts';
import { newsletterOf } from '../audience/choose-people.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { contactLinkUrl } from './contact-link.ts';
import { contactOfReader, contactVariables, KNOWN_PATHS, OF_CONTACT } from './contact-variables.ts';
import { OF_SUBSCRIBER, PATHS_OF_SUBSCRIBER, subscriberVariables } from './subscriber-variables.ts';
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
  const newsletter = await newsletterOf(ctx, broadcast.audience);
  const { subject, preheader, html, text, pinned } = broadcast;
  return {
    id: broadcast.id,
    written: { subject, preheader, html, text, pinned },
    tracking: { opens: broadcast.trackOpens ?? tracking.opens, clicks: broadcast.trackClicks ?? tracking.clicks },
    tags: broadcast.tags,
    ...(newsletter === null ? await toContacts(ctx, broadcast) : toNewsletter(ctx, broadcast, newsletter)),
  };
}

type Readers = Omit<Composition, 'id' | 'written' | 'tracking' | 'tags'>;

async function toContacts(ctx: Composing, broadcast: FilledBroadcast): Promise<Readers> {
  const { workspaceId, settings } = ctx;
  const sender = await senderName(ctx, broadcast);
  const postalAddress = (await findWorkspaceWords(ctx.db, workspaceId))?.postalAddress ?? null;
  const { footer } = messagesOf('en');
  return {
    list: { workspaceId, id: workspaceId, name: sender, slug: `contacts-${workspaceId}` },
    frame: {
      language: 'en',
      mark: { name: sender, accentColor: null, logoUrl: null },
      sender,
      postalAddress,
      words: { ...footer, reason: say(footer.contactReason, { sender }), preferences: null },
      viewUrl: '',
    },
    variablesOf: (reader, links) =>
      contactVariables(contactOfReader(reader), links, { name: broadcast.name, shared: broadcast.variables }),
    knownPaths: [...KNOWN_PATHS, ...Object.keys(broadcast.variables)],
    ofReader: OF_CONTACT,
    deadLinks: (token) => deadLinks(settings.dashboardUrl, token),
    names: NAMES,
  };
}

/** With the look, the language and the footer of the newsletter, which its subscribers know. */
function toNewsletter(
  { settings }: Composing,
  { name, variables: shared }: FilledBroadcast,
  list: Newsletter,
): Readers {
  const { footer } = messagesOf(list.language);
  return {
    list,
    frame: {
      language: list.language,
      mark: list,
      sender: list.fromName ?? list.name,
      postalAddress: list.postalAddress,
      words: { ...footer, reason: say(footer.reason, { newsletter: list.name }) },
      viewUrl: '',
    },
    variablesOf: (reader, links) => subscriberVariables(reader, links, { name, shared, newsletterName: list.name }),
    knownPaths: [...PATHS_OF_SUBSCRIBER, ...Object.keys(shared)],
    ofReader: OF_SUBSCRIBER,
    deadLinks: (token) => deadLinksOfNewsletter(settings.dashboardUrl, token),
    names: { ...NAMES, list: 'newsletter', readers: 'subscribers' },
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
  return (await findWorkspaceWords(db, workspaceId))?.name ?? from?.domain ?? 'Posthorn';
}
