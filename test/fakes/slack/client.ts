import { App, type Logger, LogLevel, SocketModeReceiver, webApi } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import type { FakeSlack, Json } from './api.ts';
import type { FakeSlackOptions } from './options.ts';
import { startFakeSlack } from './server.ts';

/** Connections that break are what many tests are about. */
const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

export const webClientOf = (fake: FakeSlack, token = fake.botToken): webApi.WebClient =>
  new webApi.WebClient(token, {
    slackApiUrl: fake.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quiet,
  });

/** `chat.postMessage` by its name: a linter takes the method for that of a browser's window. */
export const post = (client: webApi.WebClient, args: Json): Promise<webApi.ChatPostMessageResponse> =>
  client.apiCall('chat.postMessage', args);

/** Slack's code for what it refused; undefined where it did not. */
export const refusalOf = async (call: Promise<unknown>): Promise<string | undefined> => {
  try {
    await call;
    return undefined;
  } catch (error) {
    return (error as { readonly data?: { readonly error?: string } }).data?.error ?? String(error);
  }
};

/** A fake and the real web client on it; it is closed with the test. */
export const setUpSlack = async (options?: FakeSlackOptions) => {
  const fake = await startFakeSlack(options);
  onTestFinished(fake.close);
  return { fake, client: webClientOf(fake) };
};

/** A client that waits shorter for a pong reconnects sooner, but on a busy machine also without a reason. */
const CALM_MS = 5_000;

type SocketModeClient = SocketModeReceiver['client'];

export interface SlackEnvelope {
  readonly ack: (payload?: Json) => Promise<void>;
  readonly type: string;
  readonly body: Json;
  readonly envelope_id: string;
  readonly retry_num?: number;
  readonly retry_reason?: string;
}

const receiverOf = (fake: FakeSlack, clientPingTimeout: number): SocketModeReceiver =>
  new SocketModeReceiver({
    appToken: fake.appToken,
    clientPingTimeout,
    logger: quiet,
    installerOptions: { clientOptions: { slackApiUrl: fake.apiUrl, retryConfig: { retries: 0 } } },
  });

/** The real socket alone, so that a test decides what is acknowledged; it is closed with the test. */
export const startSocket = async (
  fake: FakeSlack,
  onEnvelope: (envelope: SlackEnvelope) => void = () => undefined,
  clientPingTimeout = CALM_MS,
): Promise<SocketModeClient> => {
  const { client } = receiverOf(fake, clientPingTimeout);
  client.on('slack_event', onEnvelope);
  onTestFinished(() => void client.disconnect());
  await client.start();
  return client;
};

export interface BoltSetUp {
  readonly app: App;
  readonly receiver: SocketModeReceiver;
}

/** The real Bolt over a real socket, connected; it is stopped with the test. */
export const startBolt = async (
  fake: FakeSlack,
  listen: (app: App) => void = () => undefined,
  clientPingTimeout = CALM_MS,
): Promise<BoltSetUp> => {
  const receiver = receiverOf(fake, clientPingTimeout);
  const app = new App({
    token: fake.botToken,
    receiver,
    logger: quiet,
    deferInitialization: true,
    clientOptions: { slackApiUrl: fake.apiUrl, retryConfig: { retries: 0 } },
  });
  listen(app);
  await app.init();
  await app.start();
  onTestFinished(() => app.stop().then(() => undefined));
  return { app, receiver };
};
