/** The `event_data` of an event of an email, as it is told: a reject has its `message`, null where there is none. */
export const toldData = (type: string, data: Record<string, unknown>): Record<string, unknown> =>
  type === 'reject' ? { ...data, reject: { reason: 'provider', message: null, ...Object(data['reject']) } } : data;
