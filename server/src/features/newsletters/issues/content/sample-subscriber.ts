/** People who are made up, for previews and for trying a template before it is sent. */
export interface SampleSubscriber {
  name: string | null;
  email: string;
  metadata: Readonly<Record<string, unknown>>;
}

export const sampleSubscriber: SampleSubscriber = { name: 'Ada Lovelace', email: 'ada@example.com', metadata: {} };

/** One who gave everything and one who gave nothing but an address: a template has to do for both. */
export const sampleSubscribers: readonly SampleSubscriber[] = [
  sampleSubscriber,
  { name: null, email: 'someone@example.com', metadata: {} },
];

/** Links of a preview: the pages are there and say that the link is not complete. Nobody leaves by them. */
export const deadLinks = (
  dashboardUrl: string,
  token = 'preview',
): { unsubscribeUrl: string; preferencesUrl: string } => ({
  unsubscribeUrl: `${dashboardUrl}/api/n/unsubscribe?token=${token}`,
  preferencesUrl: `${dashboardUrl}/api/n/preferences?token=${token}`,
});
