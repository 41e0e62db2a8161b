import type { SendingStop } from '#platform/errors/sending-stopped.ts';
import type { SenderDomain } from '#features/domains';
import type { Pinned } from '#features/templates';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { Framing } from '#mail/list-mail/list-frame.ts';
import type { MailList } from '#mail/list-mail/list-headers.ts';

/** The texts of mail to many, as their author wrote them: plain or Liquid. */
export interface WrittenTexts {
  subject: string;
  preheader: string | null;
  html: string;
  /** null: made from the html. */
  text: string | null;
  /** Layouts and partials of the stored template that html and text come of. Left out: they are of no template. */
  pinned?: Pinned | undefined;
}

/** A person of the list, or somebody made up. */
export interface Reader {
  name: string | null;
  email: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** Where one reader leaves the list, and where they choose what they get. */
export interface ReaderLinks {
  unsubscribeUrl: string;
  preferencesUrl: string;
}

/** The words for the footer that every reader gets, in the language of the list. */
export interface FooterWords {
  reason: string;
  unsubscribe: string;
  /** null: the link to leave leads to the choices, too. */
  preferences: string | null;
  viewOnline: string;
}

/** Names in sentences and in the `param` of a refusal, as the API of the composing feature has them. */
export interface CompositionNames {
  /** `issue`, `broadcast`. */
  mail: string;
  list: string;
  readers: string;
  html: string;
  text: string;
  sender: string;
}

/**
 * Mail that is written once and goes to many. The feature that sends it describes it with this, and gets it composed,
 * previewed, tested and checked.
 */
export interface Composition {
  /** Its own id: of the issue or the broadcast. */
  id: string;
  written: WrittenTexts;
  list: MailList;
  /** The parts around the texts. `viewUrl`: where it is read in a browser; '': nowhere. */
  frame: Pick<Framing, 'language' | 'mark'> & {
    sender: string;
    postalAddress: string | null;
    words: FooterWords;
    viewUrl: string;
  };
  tracking: { opens: boolean; clicks: boolean };
  /** Labels to count by. */
  tags?: readonly { name: string; value: string }[];
  /** The variables that its Liquid reads. */
  variablesOf(reader: Reader, links: ReaderLinks): Readonly<Record<string, unknown>>;
  /** The paths of these variables. Below the last name of one, a reader may have anything. */
  knownPaths: readonly string[];
  /** The names of the variables that differ from reader to reader. */
  ofReader: readonly string[];
  /** Links of a preview: the pages are there and say that it is one. Nobody leaves by them, also not by a POST. */
  deadLinks(token: string): ReaderLinks;
  names: CompositionNames;
}

/** The sender of mail to many, and its reply address. */
export interface Sender {
  from: Mailbox;
  domain: SenderDomain;
  /** None: to the sender. */
  replyTo: readonly Mailbox[];
  sendingStop: SendingStop;
}
