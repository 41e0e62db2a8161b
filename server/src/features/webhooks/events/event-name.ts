/** An event's name on the wire: to receivers, in lists and in its deliveries. */
export const eventName = (id: string): string => `evt_${id.replaceAll('-', '')}`;
