import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { optionalVariable } from '#src/kernel/operations/setting-schemas.ts';
import type { DirectHost, ProxySettings } from '../proxy/settings.ts';
import { decoded, passwordsIn } from './hide-secrets.ts';

/** As other programs read it, a proxy may lack the scheme. */
const withScheme = (address: string): string => (address.includes('://') ? address : `http://${address}`);

const isReadable = (address: string): boolean => {
  const url = URL.parse(address);
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    `${url.pathname}${url.search}${url.hash}` === '/'
  );
};

/** Some clients send no login without a password, and none can decode a single percent sign. */
const hasWholeLogin = (address: string): boolean => {
  const { username, password } = new URL(address);
  return (username === '') === (password === '') && [username, password].every(isEncoded);
};

const isEncoded = (text: string): boolean => decoded(text) !== text || !text.includes('%');

const proxyAddress = z
  .string()
  .trim()
  .transform(withScheme)
  .pipe(
    z
      .string()
      .refine(isReadable, {
        error:
          'must look like http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128; in a password, write %23 for #, %2F for /, %40 for @ and so on',
        abort: true,
      })
      .refine(
        hasWholeLogin,
        'must have a user and a password, or neither of them; in a password, write %25 for %',
      ),
  )
  .meta({ title: 'URL' });

const LOWER_CASE = 'In small letters it counts first.';

export const PROXY_VARIABLES = {
  HTTPS_PROXY: optionalVariable(proxyAddress, {
    description: `The proxy for everything that goes out over https, WebSockets of the platforms included: \`http://user:password@proxy.example.com:3128\`. ${LOWER_CASE}`,
    unset: 'that of `HTTP_PROXY`',
  }),
  HTTP_PROXY: optionalVariable(proxyAddress, {
    description: `The proxy for addresses that begin with \`http://\`. ${LOWER_CASE}`,
    unset: 'these are reached directly',
  }),
  NO_PROXY: optionalVariable(z.string().meta({ title: 'list separated by commas' }), {
    description: `Hosts that are reached without the proxy: \`example.com\` with all names below it, \`10.1.2.3\`, \`localhost:11434\`, or \`*\` for all. ${LOWER_CASE}`,
    unset: 'none, also not this machine',
  }),
};

type ProxyVariables = Readonly<Partial<Record<keyof typeof PROXY_VARIABLES, string | undefined>>>;

const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const;
export const SMALL_NAMES = NAMES.map((name) => name.toLowerCase());

/** The environment with one spelling of each variable. */
export const withOneSpelling = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const written = NAMES.filter((name) => env[name.toLowerCase()]);
  if (written.length === 0) return env;
  return { ...env, ...Object.fromEntries(written.map((name) => [name, env[name.toLowerCase()]])) };
};

/** The passwords of the proxies, in whichever spelling they are set. */
export const proxyPasswords = (env: NodeJS.ProcessEnv): readonly string[] =>
  [...NAMES, ...SMALL_NAMES].flatMap((name) => passwordsIn(withScheme(env[name] ?? '')));

const EVERYTHING = '*';
const entriesOf = ({ NO_PROXY = '' }: ProxyVariables): readonly string[] =>
  NO_PROXY.split(/[\s,]/).filter((entry) => entry !== '');

const readEntry = (entry: string): DirectHost | undefined => {
  const written = entry.replace(/^\*?\./, '');
  const [, name = written, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(written) ?? [];
  if (name === '' || /[/?#@\\*]/.test(name)) return undefined;
  const url = URL.parse(`http://${isIPv6(name) ? `[${name}]` : name}`);
  if (!url || url.port !== '') return undefined;
  const { hostname } = url;
  return {
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === undefined ? undefined : Number(port),
  };
};

/** Undefined: everything goes straight out. */
export const proxyConfig = (variables: ProxyVariables): ProxySettings | undefined => {
  const { HTTPS_PROXY, HTTP_PROXY } = variables;
  const https = HTTPS_PROXY ?? HTTP_PROXY;
  const entries = entriesOf(variables);
  if (https === undefined || entries.includes(EVERYTHING)) return undefined;
  return { https, http: HTTP_PROXY, direct: entries.flatMap((entry) => readEntry(entry) ?? []) };
};

export const proxyWarnings = (variables: ProxyVariables): readonly string[] =>
  proxyConfig(variables) === undefined
    ? []
    : entriesOf(variables)
        .filter((entry) => readEntry(entry) === undefined)
        .map(
          (entry) =>
            `NO_PROXY: ${entry} is not understood, so these hosts are reached through the proxy. Write names (example.com), addresses (10.1.2.3) or * for all.`,
        );
