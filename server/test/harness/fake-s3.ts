import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The content of a name: bytes with the metadata of the user, or a refusal. */
export type S3Object =
  | { bytes: Buffer; metadata?: Record<string, string> }
  | { status: number; code: string }
  /** The connection ends in the middle of these. */
  | { cutOff: Buffer };

export interface FakeS3 {
  /** The value for POSTHORN_SES_ENDPOINT. */
  readonly endpoint: string;
  /** By `bucket/key`. */
  readonly objects: Map<string, S3Object>;
  /** `GET bucket/key` of every request that came, in order. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Signature version 4 in a header, over s3; the signature itself is not computed again. */
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=[^/,\s]+\/\d{8}\/[a-z0-9-]+\/s3\/aws4_request, SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, Signature=[0-9a-f]{64}$/;

/** Amazon S3 on loopback, addressed by path: pages "GetObject" and "Error responses" of its API Reference. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, S3Object>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '/', 'http://s3').pathname.slice(1));
    requests.push(`${request.method} ${name}`);
    answer(request, response, objects.get(name));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    objects,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, there: S3Object | undefined): void {
  if (!SIGNED.test(request.headers.authorization ?? '')) return refuse(response, 403, 'AccessDenied');
  if (there === undefined) return refuse(response, 404, 'NoSuchKey');
  if ('code' in there) return refuse(response, there.status, there.code);
  if ('cutOff' in there) {
    response.writeHead(200, { 'content-length': there.cutOff.length * 2 });
    response.write(there.cutOff, () => response.destroy());
    return;
  }
  const metadata = Object.entries(there.metadata ?? {}).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': there.bytes.length,
    etag: '"d41d8cd98f00b204e9800998ecf8427e"',
    ...Object.fromEntries(metadata),
  });
  response.end(there.bytes);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code} it is.</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`,
  );
}
