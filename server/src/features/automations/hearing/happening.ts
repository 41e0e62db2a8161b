/** Something that happened to a person, as automations hear it. */
export interface Happening {
  workspaceId: string;
  /** `newsletter_confirmed`, `event:order.paid`, … */
  type: string;
  /** The identity of the address. */
  email: string;
  newsletterId: string | null;
  payload: Record<string, unknown>;
  /** Of events of emails: the run that sent the email. */
  runId: string | null;
  /** Told by a test key: it concerns runs of test keys only. */
  sandbox: boolean;
}
