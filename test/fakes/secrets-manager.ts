import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished, vi } from 'vitest';

/** What the fake does with one request for a secret. */
type FakeSecret =
  | { readonly text: string; readonly after?: Promise<void> }
  | { readonly binary: string }
  /** An error of the service, by the name that the client throws it under. */
  | { readonly error: string; readonly status: number }
  /** A body that is no JSON, as a broken proxy makes it. */
  | { readonly raw: string }
  /** No answer, for ever. */
  | 'stall';

export interface FakeSecretsManager {
  readonly endpoint: string;
  readonly region: string;
  /** By secret id; may be changed while it runs. */
  readonly secrets: Map<string, FakeSecret>;
  /** The secret id of every request, in order. */
  readonly requests: readonly string[];
}

const ACCESS_KEY_ID = 'AKIAFAKE000000000001';
const REGION = 'ap-northeast-2';

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** The rules that the service enforces before it looks at the secret; undefined when they are kept. */
const brokenRule = (request: IncomingMessage): string | undefined => {
  const { authorization = '', 'x-amz-target': target, 'content-type': type } = request.headers;
  const scope = new RegExp(
    `^AWS4-HMAC-SHA256 Credential=${ACCESS_KEY_ID}/\\d{8}/${REGION}/secretsmanager/aws4_request, .*Signature=[0-9a-f]{64}$`,
  );
  if (!scope.test(authorization)) return 'UnrecognizedClientException';
  if (target !== 'secretsmanager.GetSecretValue') return 'UnknownOperationException';
  return type === 'application/x-amz-json-1.1' ? undefined : 'SerializationException';
};

/** AWS Secrets Manager on loopback, for one test, with credentials for it in the environment. */
export const startSecretsManager = async (): Promise<FakeSecretsManager> => {
  const secrets = new Map<string, FakeSecret>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const send = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
    };
    const fail = (status: number, name: string): void =>
      send(status, JSON.stringify({ __type: name, message: `The service says ${name}` }));
    void readBody(request).then(async (body) => {
      const problem = brokenRule(request);
      if (problem !== undefined) return fail(400, problem);
      const { SecretId: id = '' } = JSON.parse(body) as { readonly SecretId?: string };
      requests.push(id);
      const secret = secrets.get(id);
      if (secret === undefined) return fail(400, 'ResourceNotFoundException');
      if (secret === 'stall') return undefined;
      if ('error' in secret) return fail(secret.status, secret.error);
      if ('raw' in secret) return send(200, secret.raw);
      if ('after' in secret) await secret.after;
      const value =
        'text' in secret
          ? { SecretString: secret.text }
          : { SecretBinary: Buffer.from(secret.binary).toString('base64') };
      return send(200, JSON.stringify({ ARN: `arn:aws:secretsmanager:${id}`, Name: id, ...value }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  vi.stubEnv('AWS_ACCESS_KEY_ID', ACCESS_KEY_ID);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'fake-secret-access-key');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { endpoint: `http://127.0.0.1:${port}`, region: REGION, secrets, requests };
};
