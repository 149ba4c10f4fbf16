import { isIPv6 } from 'node:net';

/** A host that is reached directly. Without a port it stands for all of them, and for every name that ends in it. */
export interface DirectHost {
  /** As `URL.hostname` has it, but without brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

/** The proxies that outbound connections go through. Addresses contain the login. */
export interface ProxySettings {
  /** For `https:` and `wss:`. */
  readonly https: string;
  /** For `http:` and `ws:`. Undefined: these go straight out. */
  readonly http: string | undefined;
  readonly direct: readonly DirectHost[];
}

/** Where clouds hand out credentials. Only the machine itself reaches them, and a proxy must not see what they say. */
const METADATA: readonly DirectHost[] = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
].map((host) => ({ host, port: undefined }));

const directHosts = ({ direct }: ProxySettings): readonly DirectHost[] => [...direct, ...METADATA];

/** Whether a host is reached without the proxy. */
export const isDirect = (settings: ProxySettings, host: string, port: number): boolean =>
  directHosts(settings).some((each) =>
    each.port === undefined
      ? host === each.host || host.endsWith(`.${each.host}`)
      : host === each.host && port === each.port,
  );

/** One list for Node's `http` and for its `fetch`, which read some entries differently. */
const entriesOf = ({ host, port }: DirectHost): readonly string[] => {
  const end = port === undefined ? '' : `:${port}`;
  if (isIPv6(host)) return [`${host}${end}`, `[${host}]${end}`];
  return port === undefined ? [host, `.${host}`] : [`${host}${end}`];
};

/** The same settings for Node's own agents. */
export const proxyEnvironment = (settings: ProxySettings): NodeJS.ProcessEnv => ({
  HTTPS_PROXY: settings.https,
  ...(settings.http !== undefined && { HTTP_PROXY: settings.http }),
  NO_PROXY: directHosts(settings).flatMap(entriesOf).join(','),
});

export interface ProxyAddress {
  /** As sockets want it, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** For people: host and port, without the login. */
  readonly shown: string;
  /** The value of `proxy-authorization`. */
  readonly authorization: string | undefined;
}

export const readProxyAddress = (address: string): ProxyAddress => {
  const { hostname, protocol, username, password, port: written } = new URL(address);
  const isTls = protocol === 'https:';
  const port = written === '' ? (isTls ? 443 : 80) : Number(written);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port,
    isTls,
    shown: `${hostname}:${port}`,
    authorization: username === '' ? undefined : `Basic ${Buffer.from(login).toString('base64')}`,
  };
};

/** The proxies, each once. */
export const proxiesOf = ({ https, http }: ProxySettings): readonly ProxyAddress[] => [
  ...new Map([https, http ?? https].map(readProxyAddress).map((proxy) => [proxy.shown, proxy])).values(),
];
