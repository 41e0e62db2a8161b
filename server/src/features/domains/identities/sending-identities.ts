/** A domain at the delivery service. A name exists once in each of its regions. */
export interface IdentityName {
  domain: string;
  region: string;
}

/** How the delivery service sees a domain. */
export interface IdentityLook {
  /** `verified`: it takes mail of the domain, and signs it. */
  status: 'verified' | 'pending' | 'failed';
  /** It takes mail of the domain, also while it has yet to see a key that was changed. */
  takesMail: boolean;
  /** The state of the key, in one word of the service. */
  dkim: string;
  /** Of the key that it signs with; null: a key of its own. */
  selector: string | null;
  /** In the words of the service. */
  words: string;
}

/**
 * A delivery service that takes mail of domains only that it knows, and signs it with the key that it was given. Each
 * call ends within ten seconds, and rejects when there is no answer or a refusal. Every call may be repeated.
 */
export interface SendingIdentities {
  /** Its name, for people. */
  readonly service: string;
  /** Makes the identity with this key, or gives the key to the one that is there. `privateKey` is PKCS#8 DER. */
  put(identity: IdentityName & { selector: string; privateKey: Buffer }): Promise<void>;
  /** null: it has no such identity. */
  look(identity: IdentityName): Promise<IdentityLook | null>;
  /** An identity that is gone already is no failure. */
  remove(identity: IdentityName): Promise<void>;
  /** Ends the calls that are under way. It may be called again afterwards. */
  close(): void;
}
