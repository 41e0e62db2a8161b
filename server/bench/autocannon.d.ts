// The part of autocannon 9 that we use; it ships no types.
declare module 'autocannon' {
  interface Options {
    url: string;
    method: 'POST' | 'GET';
    headers: Record<string, string>;
    body?: string;
    connections: number;
    duration: number;
    /** Requests a second, of all connections together; latency is then measured from when each was due. */
    overallRate?: number;
    /** Taken in turn by every connection. */
    requests?: { path: string }[];
  }
  interface Result {
    requests: { average: number; total: number };
    latency: { p50: number; p99: number; max: number };
    non2xx: number;
    errors: number;
  }
  const autocannon: (options: Options) => Promise<Result>;
  export default autocannon;
}
