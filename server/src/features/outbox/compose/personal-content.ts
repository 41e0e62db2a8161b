/**
 * The functions that personalise the content of a send. Its html and text are stored as their author wrote them; the
 * frame that goes around them is stored once beside them.
 */

import type { Pinned } from '#features/templates';
import type { HtmlFrame } from '#mail/frame/frame-html.ts';

/** The frame around an author's text. `{{ name }}` in it stands for a variable of the recipient, nothing else does. */
export interface Frame {
  html: HtmlFrame;
  text: { after: string };
}

/** Stored with the content. */
export interface PersonalContent {
  /** Subject, html and text are Liquid templates. */
  liquid: boolean;
  /** Layouts and partials of the stored template that html and text come of. Left out: they are of no template. */
  pinned?: Pinned | undefined;
  /** Fields of the message that all recipients share and that no customer writes, such as List-Id. */
  headers: { name: string; value: string }[];
  /** A Liquid template of text, for the `{{ preheader }}` of the frame; null: there is none, or it is in the frame. */
  preheader: string | null;
  frame: Frame;
}

/** The parts of a message that only one recipient gets. */
export interface PersonalRecipient {
  /** Of Liquid, and of the frame. */
  variables: Readonly<Record<string, unknown>>;
  headers: readonly { name: string; value: string }[];
}

/**
 * The personal parts of a claimed page, in one statement. A recipient who is absent from the answer is not
 * mailed: there is nobody any more that the email could be for.
 */
export type LoadRecipients = (
  emails: readonly {
    workspaceId: string;
    emailId: string;
    sendId: string;
    /** The version of the content that it leaves with. */
    contentId: string;
    subscriberId: string;
    /** The address that the email goes to: the recipient may have another one by now. */
    recipient: string;
  }[],
) => Promise<ReadonlyMap<string, PersonalRecipient>>;
