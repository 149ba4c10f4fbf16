import { commandFor } from '#src/platform/how-to-run.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { writeHints } from '#src/platform/text/command-hints.ts';
import { askedToWaitMs, FinClawError, operationalMessage } from '#src/kernel/errors.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import { createSlackApi, SlackRefusedError } from './api.ts';
import { createApprovals } from './interact/approvals.ts';
import { createAssistant } from './receive/assistant.ts';
import { createBoltApp, createBoltReceiver } from './bolt-app.ts';
import { catchUp } from './receive/catch-up.ts';
import type { SlackConnection, SlackConnectionDeps } from './connect/connection.ts';
import { slackHint } from './send/markup.ts';
import { createDirectory, createMembership } from './directory.ts';
import { createFiles, slackHosts } from './send/files.ts';
import { createRecentMessages } from './receive/recent-messages.ts';
import { createHistory } from './receive/history.ts';
import { createSlackHome, type SlackHome } from './home/home.ts';
import { createHttpConnection } from './connect/http-connection.ts';
import {
  APP_TOKEN_PLACE,
  askIdentity,
  BOT_TOKEN_PLACE,
  checkTokenKinds,
  explain,
  tokenError,
} from './check.ts';
import { createReceiver } from './receive/receiver.ts';
import { createOpenLive } from './send/live.ts';
import { BOT_SCOPES } from './manifest.ts';
import { createOutbound, type SlackOutboundDeps, react } from './send/outbound.ts';
import { createPacing } from './send/send-rate.ts';
import { MAX_MESSAGE_LENGTH, render } from './send/render.ts';
import { createRespond } from './send/interaction-replies.ts';
import { isHttpMode, SLACK, type SlackDeps, type SlackIdentity } from './settings.ts';
import { createSocketConnection } from './connect/socket-connection.ts';

const START_WAIT_MS = 5_000;
const STOP_WAIT_MS = 1_500;
const CLOSE_WAIT_MS = 1_000;
const RETRY = { minDelayMs: 500, maxDelayMs: 30_000, maxAttempts: Infinity };

/**
 * Slack. Messages arrive over Socket Mode or as HTTP requests and leave over the Web API; each works without the other.
 * Events are acknowledged after they are stored, commands and buttons at once.
 */
export const createSlackChannel = (deps: SlackDeps): ChannelPlugin => {
  const { settings, clock, logger, locale } = deps;
  const closing = new AbortController();
  const isSlackHost = slackHosts(settings.apiUrl);
  const recent = createRecentMessages(clock);
  const api = createSlackApi(settings, clock, recent.noteAnswer, (error) =>
    startedWith?.postRefused(SLACK, error.slackCode, error),
  );
  const directory = createDirectory(api, clock, (teamId) => self !== undefined && teamId === self.teamId);
  const pacing = createPacing(clock);
  const respond = createRespond(clock, isSlackHost);
  const files = createFiles({ api, botToken: settings.botToken, isSlackHost, clock, logger });
  /** Nothing that Slack sends may end the process. */
  const onFailed = (what: string, error: unknown): void => startedWith?.eventFailed(SLACK, what, error);
  const boltReceiver = createBoltReceiver(logger, onFailed);
  let self: SlackIdentity | undefined;
  let connection: SlackConnection | undefined;
  const unfinished = new Set<Promise<void>>();
  /** The places of readings of missed messages that were not complete. */
  const holds: (() => void)[] = [];
  const outboundDeps: SlackOutboundDeps = {
    api,
    directory,
    clock,
    logger,
    locale,
    pacing,
    self: () => self,
    closing: closing.signal,
    inBackground: (work) => {
      unfinished.add(work);
      void work.finally(() => unfinished.delete(work));
    },
  };
  const reading = { ...outboundDeps, recent };
  const { readAhead, ...history } = createHistory(reading);
  const home = createSlackHome({ ...outboundDeps, host: () => startedWith });
  const send = createOutbound({ ...outboundDeps, files, respond, showOnHome: home.show });

  const parts = { ...reading, settings, readAhead, boltReceiver, respond, home, holds, onFailed };
  let startedWith: ChannelHost | undefined;
  let onlySends = false;
  let problem: string | undefined;

  const begin = async (host: ChannelHost): Promise<void> => {
    const me = await identify(outboundDeps);
    checkScopes(logger, me);
    self = me;
    if (onlySends || closing.signal.aborted) return;
    const prepared = prepareConnection(parts, host, me);
    connection = prepared.connection;
    connection.open();
    await prepared.connected;
  };

  return {
    id: SLACK,
    capabilities: {
      maxMessageLength: MAX_MESSAGE_LENGTH,
      supportsMarkdown: true,
      supportsTables: true,
      supportsCards: true,
      supportsChoices: true,
      answersPressesAlone: true,
      talksInThreads: true,
      // Answers are in threads, where they disturb nobody.
      liveMode: 'stream',
      // Slack draws them small, and puts them below the answers of other assistants too.
      feedbackMode: 'on',
    },
    warmUp: (answer) => void render(answer),
    phrase: (text, reader) => writeHints(text, startedWith?.commands() ?? [], slackHint, reader),
    start: async (host) => {
      startedWith = host;
      onlySends = host.others?.onlySends ?? false;
      // The events are divided among the processes, so the bot hears only some of them here from then on.
      host.others?.onJoined(() => recent.messages.eventsLost());
      host.home.onErased(({ channelId, userId }) => {
        if (channelId === SLACK) home.erased(userId);
      });
      const wrongKind = checkTokenKinds(settings);
      if (wrongKind) throw wrongKind;
      let isOver = false;
      const begun = begin(host).catch(async (error: unknown) => {
        if (closing.signal.aborted) return;
        problem = operationalMessage(error);
        // After `start` has returned, only the log can report the error.
        if (isOver) logger.error('Slack: gave up connecting', { error });
        else {
          await connection?.close();
          throw error;
        }
      });
      await waitAtMost(begun, settings.startWaitMs ?? START_WAIT_MS, clock);
      isOver = true;
      if (!onlySends && !connection?.isConnected())
        logger.warn('Slack is not connected yet; connecting continues in the background');
    },
    stop: async () => {
      boltReceiver.refuse();
      await waitAtMost(boltReceiver.settled(), STOP_WAIT_MS, clock);
      await connection?.close();
    },
    close: async () => {
      closing.abort(new FinClawError('The Slack channel is closed', 'CHANNEL_CLOSED'));
      boltReceiver.refuse();
      await Promise.all([connection?.close(), waitAtMost(Promise.all(unfinished), CLOSE_WAIT_MS, clock)]);
    },
    // A process that only sends needs no connection.
    isConnected: () => connection?.isConnected() ?? (onlySends && self !== undefined),
    problem: () => problem,
    send: async (message, signal) => {
      const sent = await send(message, AbortSignal.any([signal, closing.signal]));
      home.touched(message.target.recipientId);
      return sent;
    },
    readMedia: files.read,
    ...history,
    addReaction: (target, emoji) => react(api, directory, 'add', target, emoji),
    removeReaction: (target, emoji) => react(api, directory, 'remove', target, emoji),
    openLive: createOpenLive(outboundDeps),
    membership: createMembership(api),
    ...createApprovals(outboundDeps),
    directTarget: async (target) => {
      const { threadId: _thread, replyToMessageId: _asked, interaction: _over, ...rest } = target;
      return { ...rest, chatId: asId<ChatId>(target.recipientId), isDirect: true };
    },
  };
};

interface ConnectionParts extends SlackOutboundDeps, Pick<SlackDeps, 'settings'> {
  readonly recent: ReturnType<typeof createRecentMessages>;
  readonly readAhead: ReturnType<typeof createHistory>['readAhead'];
  readonly boltReceiver: ReturnType<typeof createBoltReceiver>;
  readonly respond: ReturnType<typeof createRespond>;
  readonly home: SlackHome;
  readonly holds: (() => void)[];
  readonly onFailed: SlackConnectionDeps['onFailed'];
}

/** `connected` resolves with the first connection, and rejects if only the operator can make it work. */
const prepareConnection = (parts: ConnectionParts, host: ChannelHost, me: SlackIdentity) => {
  const { settings, recent, boltReceiver, holds, onFailed, clock, logger, closing } = parts;
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  const assistant = createAssistant({ ...parts, host, self: me });
  const receiverDeps = { ...parts, host, self: me, hear: recent.hear, assistant };
  const receiver = createReceiver(receiverDeps);
  createBoltApp(settings, boltReceiver, receiver, receiverDeps);
  let ready = Promise.withResolvers<void>();
  const connectionDeps: SlackConnectionDeps = {
    clock,
    logger,
    onEnvelope: boltReceiver.accept,
    onFailed,
    onConnecting: () => {
      // A new connection may miss edits too, which catching up does not find.
      recent.messages.eventsLost();
      ready = Promise.withResolvers<void>();
      receiver.holdUntil(ready.promise);
    },
    onConnected: ({ isSeamless, isOnly }) => {
      if (isOnly) recent.messages.listen();
      logger.info('Slack: connected', { team: me.teamName, user: me.userId });
      // Beside other processes, which store newer messages at once, waiting for missed ones would only spoil the order.
      if (host.others && !isOnly) ready.resolve();
      void (isSeamless ? Promise.resolve() : catchUp(receiverDeps, receiver, { holds, closing })).then(
        ready.resolve,
      );
      resolve();
    },
  };
  const connection = isHttpMode(settings)
    ? createHttpConnection({
        ...connectionDeps,
        settings,
        // Slack does not tell how many processes receive requests.
        isOnly: host.others === undefined,
        onUnusable: reject,
      })
    : createSocketConnection({
        ...connectionDeps,
        settings,
        onRefused: (error) => {
          const failure = tokenError(explain('SLACK_APP_TOKEN', APP_TOKEN_PLACE, error), error);
          logger.error(failure.message);
          reject(failure);
        },
      });
  return { connection, connected };
};

/** Retries until Slack answers. Throws if only the operator can fix the problem. */
const identify = async ({
  api,
  clock,
  logger,
  closing,
}: Pick<SlackOutboundDeps, 'api' | 'clock' | 'logger' | 'closing'>): Promise<SlackIdentity> =>
  retry(
    () => askIdentity(api),
    {
      ...RETRY,
      clock,
      shouldRetry: (error) => !(error instanceof SlackRefusedError),
      retryAfterMs: askedToWaitMs,
      onRetry: (error, attempt, delayMs) =>
        logger.warn('Slack cannot be reached; retrying', { error, attempt, delayMs }),
    },
    closing,
  ).catch((error: unknown) => {
    throw error instanceof SlackRefusedError
      ? tokenError(explain('SLACK_BOT_TOKEN', BOT_TOKEN_PLACE, error), error)
      : error;
  });

const checkScopes = (logger: SlackDeps['logger'], { scopes }: SlackIdentity): void => {
  if (scopes.length === 0) return;
  const missing = Object.keys(BOT_SCOPES).filter((scope) => !scopes.includes(scope));
  if (missing.includes('chat:write'))
    throw tokenError(
      `The Slack app may not write: it lacks the scope chat:write. Update it with the output of ${commandFor('slack-manifest')} and install it to the workspace again.`,
    );
  if (missing.length > 0)
    logger.warn(`The Slack app lacks scopes; ${commandFor('doctor')} says what does not work`, { missing });
};
