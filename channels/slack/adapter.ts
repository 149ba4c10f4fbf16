import type { ChannelHost, ChannelPlugin } from '#src/kernel/channel.ts';
import { writeHints } from '#src/kernel/command-hints.ts';
import { ChannelError, FinClawError } from '#src/kernel/errors.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { retry } from '#src/platform/retry.ts';
import { createSlackApi, SlackRefusedError } from './api.ts';
import { createApprovals } from './approvals.ts';
import { createBoltApp, createBoltReceiver } from './bolt-app.ts';
import { catchUp } from './catch-up.ts';
import { type Connection, createConnection } from './connection.ts';
import { slackHint } from './markup.ts';
import { createDirectory, createMembership } from './directory.ts';
import { createFiles, slackHosts } from './files.ts';
import { createHistory } from './history.ts';
import {
  APP_TOKEN_PLACE,
  askIdentity,
  BOT_TOKEN_PLACE,
  checkTokenKinds,
  explain,
  tokenError,
} from './check.ts';
import { createMessageReceiver } from './receiver.ts';
import { createOpenLive } from './live.ts';
import { BOT_SCOPES } from './manifest.ts';
import { createSend, react } from './outbound.ts';
import { createPacing } from './pacing.ts';
import { MAX_MESSAGE_LENGTH } from './render.ts';
import { createResponseUrls } from './response-url.ts';
import { SLACK, type SlackDeps, type SlackIdentity } from './settings.ts';

const START_WAIT_MS = 5_000;
const STOP_WAIT_MS = 1_500;
const RETRY = { minDelayMs: 500, maxDelayMs: 30_000, maxAttempts: Infinity };

/**
 * Slack over Socket Mode. An event is acknowledged after it is stored; a command or a press at once. Sending
 * goes over the Web API and does not need the socket.
 */
export const createSlackChannel = (deps: SlackDeps): ChannelPlugin => {
  const { settings, clock, logger, locale } = deps;
  const closing = new AbortController();
  const isSlackHost = slackHosts(settings.apiUrl);
  const api = createSlackApi(settings, logger, clock);
  const directory = createDirectory(api, clock, (teamId) => self !== undefined && teamId === self.teamId);
  const pacing = createPacing(clock);
  const responses = createResponseUrls(clock, isSlackHost);
  const files = createFiles({ api, botToken: settings.botToken, isSlackHost, logger });
  const boltReceiver = createBoltReceiver(logger);
  const approvals = createApprovals({ api, directory, pacing, clock, closing: closing.signal });
  let self: SlackIdentity | undefined;
  let connection: Connection | undefined;

  const send = createSend({
    api,
    directory,
    pacing,
    files,
    responses,
    botId: () => self?.botId,
    locale,
    logger,
  });

  /** Goes on until Slack answers. Throws what only an operator can mend. */
  const identify = async (): Promise<SlackIdentity> =>
    retry(
      () => askIdentity(api),
      {
        ...RETRY,
        clock,
        shouldRetry: (error) => !(error instanceof SlackRefusedError),
        retryAfterMs: (error) => (error instanceof ChannelError ? error.retryAfterMs : undefined),
        onRetry: (error, attempt, delayMs) =>
          logger.warn('Slack cannot be reached; trying again', { error, attempt, delayMs }),
      },
      closing.signal,
    ).catch((error: unknown) => {
      throw error instanceof SlackRefusedError
        ? tokenError(explain('SLACK_BOT_TOKEN', BOT_TOKEN_PLACE, error), error)
        : error;
    });

  const checkScopes = ({ scopes }: SlackIdentity): void => {
    if (scopes.length === 0) return;
    const missing = Object.keys(BOT_SCOPES).filter((scope) => !scopes.includes(scope));
    if (missing.includes('chat:write'))
      throw tokenError(
        'The Slack app may not write: it lacks the scope chat:write. Update it with the output of npm run slack:manifest and install it to the workspace again.',
      );
    if (missing.length > 0)
      logger.warn('Slack: the app lacks scopes, and what needs them does not work; see npm run doctor', {
        missing,
      });
  };

  /** Resolves with the first connection; rejects when Slack refuses it before there was one. */
  const connect = (host: ChannelHost, me: SlackIdentity): Promise<void> => {
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
    const receiver = createMessageReceiver({ host, self: me, directory, clock, logger });
    const interactions = { host, self: me, api, directory, responses, approvals, locale, clock, logger };
    createBoltApp({ settings, self: me, boltReceiver, receiver, interactions, logger });
    let ready = Promise.withResolvers<void>();
    connection = createConnection({
      settings,
      clock,
      logger,
      onEnvelope: boltReceiver.accept,
      onConnecting: () => {
        ready = Promise.withResolvers<void>();
        receiver.holdUntil(ready.promise);
      },
      onConnected: (isSeamless) => {
        logger.info('Slack: connected', { team: me.teamName, user: me.userId });
        const { lanes } = isSeamless
          ? { lanes: Promise.resolve() }
          : catchUp({ api, directory, host, receiver, self: me, clock, logger });
        void lanes.then(ready.resolve);
        resolve();
      },
      onRefused: (error) => {
        const failure = tokenError(explain('SLACK_APP_TOKEN', APP_TOKEN_PLACE, error), error);
        logger.error(failure.message);
        reject(failure);
      },
    });
    connection.open();
    return connected;
  };

  let definitions: ChannelHost['commands'] | undefined;

  const begin = async (host: ChannelHost): Promise<void> => {
    const me = await identify();
    checkScopes(me);
    self = me;
    if (!closing.signal.aborted) await connect(host, me);
  };

  return {
    id: SLACK,
    capabilities: {
      maxMessageLength: MAX_MESSAGE_LENGTH,
      supportsMarkdown: true,
      supportsTables: true,
      supportsCards: true,
      supportsChoices: true,
      talksInThreads: true,
    },
    phrase: (text, reader) => writeHints(text, definitions?.() ?? [], slackHint, reader),
    start: async (host) => {
      definitions = host.commands;
      const wrongKind = checkTokenKinds(settings);
      if (wrongKind) throw wrongKind;
      let isOver = false;
      const begun = begin(host).catch(async (error: unknown) => {
        if (closing.signal.aborted) return;
        // Nobody waits for it any more: the log has to say it.
        if (isOver) logger.error('Slack: the connection is given up', { error });
        else {
          await connection?.close();
          throw error;
        }
      });
      await waitAtMost(begun, settings.startWaitMs ?? START_WAIT_MS, clock);
      isOver = true;
      if (!connection?.isConnected())
        logger.warn('Slack is not connected yet; going on without it meanwhile');
    },
    stop: async () => {
      boltReceiver.refuse();
      await waitAtMost(boltReceiver.settled(), STOP_WAIT_MS, clock);
      await connection?.close();
    },
    close: async () => {
      closing.abort(new FinClawError('The Slack channel is closed', 'CHANNEL_CLOSED'));
      boltReceiver.refuse();
      await connection?.close();
    },
    isConnected: () => connection?.isConnected() ?? false,
    send: (message, signal) => send(message, AbortSignal.any([signal, closing.signal])),
    readMedia: files.read,
    ...createHistory({ api, directory, self: () => self }),
    addReaction: (target, emoji) => react(api, directory, 'add', target, emoji),
    removeReaction: (target, emoji) => react(api, directory, 'remove', target, emoji),
    openLive: createOpenLive({ api, directory, clock, logger, self: () => self }),
    membership: createMembership(api),
    requestApproval: approvals.request,
    closeApproval: approvals.close,
    directTarget: async (target) => {
      const { threadId: _thread, replyToMessageId: _asked, interaction: _over, ...rest } = target;
      return { ...rest, chatId: asId<ChatId>(target.recipientId), isDirect: true };
    },
  };
};
