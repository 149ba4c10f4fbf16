import type * as Aws from '@aws-sdk/client-secrets-manager';
import { FinClawError } from '#src/kernel/errors.ts';
import { isPlausibleKey, type KeyedProvider } from '#src/kernel/agent/model.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { proxyOptions } from '#src/platform/net/http.ts';
import type { Uses } from '#src/platform/services.ts';

/** An external secret store. Rejects with a `FinClawError` that never contains the secret. */
export interface SecretSource {
  readonly read: (secretId: string, signal: AbortSignal) => Promise<string>;
}

type AwsModule = Pick<typeof Aws, 'SecretsManagerClient' | 'GetSecretValueCommand'>;

export interface AwsSecretsOptions extends Uses<'clock'> {
  readonly region: string;
  readonly endpoint?: string | undefined;
  /** The AWS client is large and rarely needed, so it is an optional dependency that is loaded on first use. */
  readonly importClient?: () => Promise<AwsModule>;
}

const CACHE_MS = 600_000;
const TIMEOUT_MS = 10_000;

const WHY: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'there is no such secret',
  AccessDeniedException: 'these AWS credentials may not read it',
  UnrecognizedClientException: 'these AWS credentials are not valid',
  CredentialsProviderError: 'no AWS credentials were found',
};

/** Uses name and code only, because the message of a parse error quotes the secret. */
const whyOf = (error: unknown): string => {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  const known = typeof name === 'string' ? (WHY[name] ?? name) : 'unknown';
  return typeof code === 'string' && code !== name ? `${known}, ${code}` : known;
};

const importMissing = (cause: unknown): FinClawError =>
  new FinClawError(
    'Keys in AWS Secrets Manager need its client: npm install @aws-sdk/client-secrets-manager',
    'AWS_CLIENT_MISSING',
    { cause },
  );

/** Reads each secret at most once in ten minutes; concurrent reads share one request. */
export const createAwsSecrets = (options: AwsSecretsOptions): SecretSource => {
  const { region, endpoint, clock } = options;
  const importClient = options.importClient ?? (() => import('@aws-sdk/client-secrets-manager'));
  const cached = new Map<string, { readonly secret: string; readonly untilMs: number }>();
  const pending = new Map<string, Promise<string>>();
  let send: ((secretId: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;

  const connect = async (): Promise<NonNullable<typeof send>> => {
    const aws = await importClient().catch((error: unknown) => {
      throw importMissing(error);
    });
    // The client has agents of its own.
    const proxy = proxyOptions();
    const client = new aws.SecretsManagerClient({
      region,
      maxAttempts: 2,
      ...(endpoint ? { endpoint } : {}),
      ...(proxy && { requestHandler: { httpAgent: proxy, httpsAgent: proxy } }),
    });
    return async (secretId, abortSignal) => {
      const command = new aws.GetSecretValueCommand({ SecretId: secretId });
      const { SecretString, SecretBinary } = await client.send(command, { abortSignal });
      return SecretString ?? (SecretBinary && Buffer.from(SecretBinary).toString('utf8'));
    };
  };

  const unreadable = (secretId: string, why: string): FinClawError =>
    new FinClawError(
      `The secret ${secretId} cannot be read from AWS Secrets Manager in ${region} (${why}).`,
      'AWS_SECRET_UNREADABLE',
      { statusCode: 503 },
    );

  const fetchSecret = async (secretId: string): Promise<string> => {
    send ??= await connect();
    const noAnswer = (): Error => unreadable(secretId, `no answer within ${TIMEOUT_MS / 1000} s`);
    const { signal, clear } = withDeadline(new AbortController().signal, TIMEOUT_MS, clock, noAnswer);
    try {
      // The client ignores the signal while it looks for credentials.
      const secret = await raceAbort(send(secretId, signal), signal, clock, 0);
      if (!secret) throw unreadable(secretId, 'it is empty');
      cached.set(secretId, { secret, untilMs: clock.monotonicMs() + CACHE_MS });
      return secret;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof FinClawError ? error : unreadable(secretId, whyOf(error));
    } finally {
      clear();
    }
  };

  return {
    read: async (secretId, signal) => {
      signal.throwIfAborted();
      const known = cached.get(secretId);
      if (known && clock.monotonicMs() < known.untilMs) return known.secret;
      const request = pending.get(secretId) ?? fetchSecret(secretId).finally(() => pending.delete(secretId));
      pending.set(secretId, request);
      // The request has its own deadline, so that one aborted reader does not end it for the others.
      return raceAbort(request, signal, clock, 0);
    },
  };
};

const FIELDS: Readonly<Record<KeyedProvider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY', 'apiKey'],
  openai: ['OPENAI_API_KEY', 'apiKey'],
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Extracts the provider's key from a secret: a field of a JSON object, otherwise the whole text. */
export const keyFromSecret = (provider: KeyedProvider, secretId: string, secret: string): string => {
  const parsed = parseJson(secret);
  const isObject = typeof parsed === 'object' && parsed !== null;
  // Text that begins like an object but does not parse was truncated or mistyped, and is no key.
  const whole = secret.trim().startsWith('{') ? undefined : secret;
  const candidates: readonly unknown[] = isObject
    ? FIELDS[provider].map((field) => (parsed as Readonly<Record<string, unknown>>)[field])
    : [typeof parsed === 'string' ? parsed : whole];
  const key = candidates
    .map((value) => (typeof value === 'string' ? value.trim() : ''))
    .find((value) => isPlausibleKey(provider, value, { anyForm: true }));
  if (key !== undefined) return key;
  throw new FinClawError(
    `The secret ${secretId} holds no key for ${provider}: it must be the key itself, or JSON with the field ${FIELDS[provider].join(' or ')}.`,
    'AWS_SECRET_INVALID',
  );
};
