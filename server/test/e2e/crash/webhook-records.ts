/**
 * Three accounts of the same webhooks, each written by somebody else: what a client was told and which events the
 * database therefore has, what the receiver got, and what the deliveries say.
 */

export interface StoredEvent {
  id: string;
  emailId: string;
  type: string;
}

/** An endpoint as the test made it. */
export interface KnownEndpoint {
  id: string;
  /** The last part of the path at the receiver. */
  name: string;
  /** Types of events it is to be told; `*`: all. Nothing when it is disabled. */
  events: readonly string[];
  enabled: boolean;
}

/** One request at the receiver, written down before it is answered. */
export interface ReceivedDelivery {
  /** The name of the endpoint. */
  endpoint: string;
  deliveryId: string;
  attempt: number;
  eventId: string;
  bodyHash: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** The status; null: none was sent. */
  answered: number | null;
}

export interface StoredDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  status: string;
  attempt: number;
}

export interface WebhookRecords {
  /** Emails that a 2xx named. */
  told: readonly string[];
  events: readonly StoredEvent[];
  endpoints: readonly KnownEndpoint[];
  received: readonly ReceivedDelivery[];
  deliveries: readonly StoredDelivery[];
}
