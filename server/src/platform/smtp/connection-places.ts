import { networkOf } from '../ip-network.ts';

export interface PlacesMax {
  sessions: number;
  /** Of one IP address (IPv6: of one /64). */
  sessionsOfPeer: number;
}

/** The places of open connections: so many in all, and so many of one peer. */
export class ConnectionPlaces {
  readonly #max: PlacesMax;
  readonly #byPeer = new Map<string, number>();
  #taken = 0;

  constructor(max: PlacesMax) {
    this.#max = max;
  }

  /** Undefined: there is no place left. Call the function once, when the connection has ended. */
  take(address: string): (() => void) | undefined {
    const peer = peerOf(address);
    const ofPeer = this.#byPeer.get(peer) ?? 0;
    if (this.#taken >= this.#max.sessions || ofPeer >= this.#max.sessionsOfPeer) return undefined;
    this.#taken += 1;
    this.#byPeer.set(peer, ofPeer + 1);
    return () => {
      this.#taken -= 1;
      const left = (this.#byPeer.get(peer) ?? 1) - 1;
      if (left === 0) this.#byPeer.delete(peer);
      else this.#byPeer.set(peer, left);
    };
  }
}

/** One network of IPv6 holds 2^64 addresses, so a peer is its /64. */
const peerOf = (address: string): string => networkOf(address, { ofIpv4: 4, ofIpv6: 8 });
