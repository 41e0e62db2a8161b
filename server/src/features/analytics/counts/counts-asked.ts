import { emailRecords } from '#features/outbox';

const { dimensions } = emailRecords.counts;
export type Dimension = (typeof dimensions)[number];

export const groupsOf = (asked: ReadonlySet<Dimension>): Record<Dimension, boolean> => ({
  period: asked.has('period'),
  domain: asked.has('domain'),
  source: asked.has('source'),
  newsletter: asked.has('newsletter'),
  broadcast: asked.has('broadcast'),
  template: asked.has('template'),
  tag: asked.has('tag'),
  mailbox_provider: asked.has('mailbox_provider'),
});

export const NO_DIMENSIONS = groupsOf(new Set());

export const NO_FILTER = {
  domainId: null,
  source: null,
  newsletterId: null,
  broadcastId: null,
  templateId: null,
  tag: null,
  mailboxProvider: null,
};
