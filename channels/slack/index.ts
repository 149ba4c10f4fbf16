import { z } from 'zod';
import { HTTPS_ONLY, optionalVariable, port, webAddress } from '#src/kernel/operations/setting-schemas.ts';
import { LOOPBACK } from '#src/platform/net/listen.ts';
import { defineChannel } from '#src/platform/channel-definition.ts';
import { OWN_COMMAND, slackMarkup } from './send/markup.ts';
import { EVENTS_PATH, isHttpMode, PORT_ADVICE, SLACK, type SlackSettings } from './settings.ts';

/** Slack's pages show several secrets side by side; the prefix tells which one was copied. */
const token = (beginning: string, where: string) =>
  z
    .string()
    .trim()
    .startsWith(beginning, `must begin with ${beginning}: copy it from ${where}`)
    .regex(/^\S+$/, 'must not contain blanks')
    .meta({ title: `secret, \`${beginning}…\`` });

const signingSecret = z
  .string()
  .trim()
  .regex(/^(?!xox|xapp-)\S+$/, 'must be the Signing Secret under Basic Information, which is not a token')
  .meta({ title: 'secret' });

const ipAddress = z.union([z.ipv4(), z.ipv6()], 'must be an IP address').meta({ title: 'IP address' });

const ONE_MODE =
  'SLACK_APP_TOKEN: chooses Socket Mode, but SLACK_SIGNING_SECRET and SLACK_PORT choose HTTP mode; remove it or remove those two';
const NO_BOT_TOKEN =
  'SLACK_BOT_TOKEN: is missing; install the app to your workspace and copy the token under OAuth & Permissions; it begins with xoxb-';
const NO_MODE =
  'SLACK_APP_TOKEN: is missing; Slack is set up with two tokens. Make one with the scope connections:write under Basic Information → App-Level Tokens; it begins with xapp-. For HTTP mode, set SLACK_SIGNING_SECRET and SLACK_PORT instead';
const NO_PORT =
  'SLACK_PORT: is missing; SLACK_SIGNING_SECRET chooses HTTP mode, which needs the port where the requests of Slack arrive';
const NO_SECRET =
  'SLACK_SIGNING_SECRET: is missing; SLACK_PORT chooses HTTP mode, which needs the Signing Secret under Basic Information';

export const slack = defineChannel({
  id: SLACK,
  variables: {
    SLACK_BOT_TOKEN: optionalVariable(token('xoxb-', 'OAuth & Permissions, Bot User OAuth Token'), {
      description:
        'Bot token of the Slack app. Slack needs this and `SLACK_APP_TOKEN`, or `SLACK_SIGNING_SECRET` and `SLACK_PORT`.',
      unset: 'Slack is off',
    }),
    SLACK_APP_TOKEN: optionalVariable(token('xapp-', 'Basic Information, App-Level Tokens'), {
      description: 'App-level token of the Slack app, with the scope `connections:write` (Socket Mode).',
      unset: 'no Socket Mode',
    }),
    SLACK_SIGNING_SECRET: optionalVariable(signingSecret, {
      description: 'Signing secret of the Slack app, which proves that a request is from Slack (HTTP mode).',
      unset: 'no HTTP mode',
    }),
    SLACK_PORT: optionalVariable(port, {
      description: `Port where the requests of Slack arrive, at \`${EVENTS_PATH}\` (HTTP mode). Put a proxy with TLS before it.`,
      unset: 'no HTTP mode',
    }),
    SLACK_HOST: optionalVariable(ipAddress, {
      description:
        'Address that `SLACK_PORT` is on. If the proxy is on another machine, `0.0.0.0` (HTTP mode).',
      unset: LOOPBACK,
    }),
    SLACK_API_URL: optionalVariable(webAddress, {
      description: `Base URL of the Slack API, such as a proxy. ${HTTPS_ONLY}`,
      unset: 'the API of Slack',
    }),
  },
  secrets: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
  addresses: ['SLACK_API_URL'],
  turnedOnBy: 'SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET and SLACK_PORT',
  problems: ({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_PORT }) => {
    const hasHttp = SLACK_SIGNING_SECRET !== undefined || SLACK_PORT !== undefined;
    if (SLACK_APP_TOKEN && hasHttp) return [ONE_MODE];
    if (hasHttp && !SLACK_PORT) return [NO_PORT];
    if (hasHttp && !SLACK_SIGNING_SECRET) return [NO_SECRET];
    if (SLACK_BOT_TOKEN) return SLACK_APP_TOKEN || hasHttp ? [] : [NO_MODE];
    return SLACK_APP_TOKEN || hasHttp ? [NO_BOT_TOKEN] : [];
  },
  settings: (variables): SlackSettings | undefined => {
    const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = variables;
    const { SLACK_SIGNING_SECRET: secret, SLACK_HOST: host = LOOPBACK, SLACK_PORT: httpPort } = variables;
    if (!botToken) return undefined;
    const common = { botToken, ...(apiUrl ? { apiUrl } : {}) };
    if (appToken) return { ...common, appToken };
    return secret && httpPort ? { ...common, signingSecret: secret, host, port: httpPort } : undefined;
  },
  listensAt: (settings) =>
    isHttpMode(settings) ? { host: settings.host, port: settings.port, advice: PORT_ADVICE } : undefined,
  create: async (settings, deps) => {
    const { createSlackChannel } = await import('./adapter.ts');
    return createSlackChannel({ settings, ...deps });
  },
  check: async (settings) => {
    const { checkSlack } = await import('./check.ts');
    return checkSlack(settings);
  },
  markup: slackMarkup,
  commandNames: [OWN_COMMAND.slice(1)],
});
