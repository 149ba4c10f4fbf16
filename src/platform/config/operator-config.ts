import { isIPv6 } from 'node:net';
import { z } from 'zod';
import type { Environment } from './environment.ts';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A password or a path in the address would be ignored, so they are refused. */
const isPublicUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK_NAMES.has(hostname));
  return (
    isSafe && pathname === '/' && `${search}${hash}${username}${password}` === '' && !value.endsWith('?')
  );
};

/** `operator`: the web page for operators. */
export const operatorSchema = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe('Whether the page is there at all. It also needs `FINCLAW_HTTP_PORT`.'),
    publicUrl: z
      .string()
      .refine(
        isPublicUrl,
        'must be an https address without a path, such as https://finclaw.example.com; the page is always at /operator below it',
      )
      .optional()
      .describe(
        'The address of the page behind a reverse proxy: `https://finclaw.example.com`, without a path. `http` only for `localhost`, such as a port of a container. Without it, the page answers only requests for `localhost` and 127.0.0.1.',
      ),
  })
  .prefault({})
  .describe('The operator page, at `/operator` of the health server.');

interface OperatorFile {
  readonly operator: z.output<typeof operatorSchema>;
}

export interface OperatorConfig {
  /** At least 32 characters. */
  readonly token: string | undefined;
  /** An origin, without a slash at the end. */
  readonly publicUrl: string | undefined;
}

const isLoopback = (host: string): boolean => (isIPv6(host) ? host === '::1' : host.startsWith('127.'));

const isReachable = ({ FINCLAW_HTTP_HOST: host }: Environment): boolean =>
  host !== undefined && !isLoopback(host);

/**
 * Undefined if the page is off: without `publicUrl`, it is not offered to other machines. With `publicUrl`, this process
 * gives codes even if another one on the same database serves the page.
 */
export const operatorConfig = (
  variables: Environment,
  { operator: { enabled, publicUrl } }: OperatorFile,
): OperatorConfig | undefined => {
  const hasOwn = variables.FINCLAW_HTTP_PORT !== undefined && !isReachable(variables);
  if (!enabled || (!hasOwn && publicUrl === undefined)) return undefined;
  return {
    token: variables.FINCLAW_OPERATOR_TOKEN,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
  };
};

export const operatorWarnings = (
  variables: Environment,
  { operator: { enabled, publicUrl } }: OperatorFile,
): readonly string[] =>
  enabled && variables.FINCLAW_HTTP_PORT !== undefined && isReachable(variables) && publicUrl === undefined
    ? [
        'The operator page is off: FINCLAW_HTTP_HOST lets other machines reach the health server. Set operator.publicUrl to the address that people open (https://… behind a proxy, or http://localhost:<port>), or operator.enabled to false.',
      ]
    : [];
