import { isPrivateHost } from '../public-address.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';

const urlOf = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

const crossesInternet = (url: URL): boolean => url.protocol === 'http:' && !isPrivateHost(url.hostname);

/**
 * One line for each address that would receive keys, tokens and messages unencrypted over the internet. It counts
 * before there is a key too: one can be added while the bot runs. Market data needs no key and may come over http.
 */
export const checkPlainHttp = (
  variables: Environment,
  { providers }: ConfigFile,
  channels: readonly ChannelDefinition[],
): readonly string[] => {
  const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL } = variables;
  const all: Readonly<Record<string, unknown>> = variables;
  const ofChannels = channels.flatMap(({ addresses = [] }) => addresses);
  const named: readonly (readonly [name: string, address: unknown])[] = [
    ['ANTHROPIC_BASE_URL', ANTHROPIC_BASE_URL],
    ['OPENAI_BASE_URL', OPENAI_BASE_URL],
    ...ofChannels.map((name) => [name, all[name]] as const),
    ['providers.aws.endpoint', providers.aws?.endpoint],
  ];
  return named.flatMap(([name, address]) => {
    const url = typeof address === 'string' ? urlOf(address) : undefined;
    if (!url || !crossesInternet(url)) return [];
    return [
      `  ${name}: would send keys and messages unencrypted to ${url.hostname}; begin the address with https://. Plain http is for this machine and private networks only: localhost, private IP addresses, names without a dot, and names ending in .local or .internal`,
    ];
  });
};

/** What pg understands as a connection without TLS. */
const isWithoutTls = ({ searchParams }: URL): boolean => {
  const mode = searchParams.get('sslmode');
  if (mode !== null) return mode === 'disable';
  return !['true', '1'].includes(searchParams.get('ssl') ?? '');
};

/** What starts all the same, but the operator should know: for the log at start and for the doctor. */
export const transportWarnings = ({ DATABASE_URL = '' }: Environment): readonly string[] => {
  const url = urlOf(DATABASE_URL);
  if (!url || url.hostname === '' || isPrivateHost(url.hostname) || !isWithoutTls(url)) return [];
  return [
    `DATABASE_URL reaches ${url.hostname} without TLS, so messages cross the internet unencrypted. Add ?sslmode=verify-full to it.`,
  ];
};
