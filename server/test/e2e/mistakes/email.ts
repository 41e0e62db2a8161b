/** An email that is good, and the same without a field. */
export const EMAIL = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hello', text: 'Hi' };

const without = (field: keyof typeof EMAIL): object =>
  Object.fromEntries(Object.entries(EMAIL).filter(([name]) => name !== field));

export const WITHOUT_FROM = without('from');
export const WITHOUT_TO = without('to');
export const WITHOUT_SUBJECT = without('subject');
export const WITHOUT_TEXT = without('text');
