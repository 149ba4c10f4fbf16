import { commandFor } from '#src/platform/command-for.ts';
import type { ChannelHost, ChannelPlugin } from '#src/kernel/channel.ts';
import { writeHints } from '#src/kernel/command-hints.ts';
import { askedToWaitMs, FinClawError } from '#src/kernel/errors.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { retry } from '#src/platform/retry.ts';
import { createSlackApi, SlackRefusedError } from './api.ts';
import { createApprovals } from './approvals.ts';
import { createAssistant } from './assistant.ts';
import { createBoltApp, createBoltReceiver } from './bolt-app.ts';
import { catchUp } from './catch-up.ts';
import type { Connection, ConnectionDeps } from './connection.ts';
import { slackHint } from './markup.ts';
import { createDirectory, createMembership } from './directory.ts';
import { createFiles, slackHosts } from './files.ts';
import { createHeard } from './heard.ts';
import { createHistory } from './history.ts';
import { createSlackHome } from './home.ts';
import { createHttpConnection } from './http-connection.ts';
import {
  APP_TOKEN_PLACE,
  askIdentity,
  BOT_TOKEN_PLACE,
  checkTokenKinds,
  explain,
  tokenError,
} from './check.ts';
import { createReceiver } from './receiver.ts';
import { createOpenLive } from './live.ts';
import { BOT_SCOPES } from './manifest.ts';
import { createOutbound, type OutboundDeps, react } from './outbound.ts';
import { createPacing } from './pacing.ts';
import { MAX_MESSAGE_LENGTH, render } from './render.ts';
import { createRespond } from './interaction-replies.ts';
import { isHttpMode, SLACK, type SlackDeps, type SlackIdentity } from './settings.ts';
import { createSocketConnection } from './socket-connection.ts';

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
  const heard = createHeard(clock);
  const api = createSlackApi(settings, clock, heard.noteAnswer);
  const directory = createDirectory(api, clock, (teamId) => self !== undefined && teamId === self.teamId);
  const pacing = createPacing(clock);
  const respond = createRespond(clock, isSlackHost);
  const files = createFiles({ api, botToken: settings.botToken, isSlackHost, clock, logger });
  const boltReceiver = createBoltReceiver(logger);
  let self: SlackIdentity | undefined;
  let connection: Connection | undefined;
  const common = { api, directory, clock, logger, locale };
  const unfinished = new Set<Promise<void>>();
  /** The places of readings of missed messages that were not complete. */
  const holds: (() => void)[] = [];
  const outboundDeps: OutboundDeps = {
    ...common,
    pacing,
    self: () => self,
    closing: closing.signal,
    inBackground: (work) => {
      unfinished.add(work);
      void work.finally(() => unfinished.delete(work));
    },
  };
  const { readAhead, ...history } = createHistory({ ...outboundDeps, heard });
  const home = createSlackHome({ ...outboundDeps, host: () => startedWith });
  const send = createOutbound({ ...outboundDeps, files, respond, home });

  /** Retries until Slack answers. Throws if only the operator can fix the problem. */
  const identify = async (): Promise<SlackIdentity> =>
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
        `The Slack app may not write: it lacks the scope chat:write. Update it with the output of ${commandFor('slack-manifest')} and install it to the workspace again.`,
      );
    if (missing.length > 0)
      logger.warn(`The Slack app lacks scopes; ${commandFor('doctor')} says what does not work`, { missing });
  };

  /** Resolves with the first connection. Rejects if only the operator can make it work. */
  const connect = (host: ChannelHost, me: SlackIdentity): Promise<void> => {
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
    const assistant = createAssistant({ ...outboundDeps, host, self: me });
    const receiverDeps = { ...common, host, self: me, hear: heard.hear, readAhead, assistant };
    const receiver = createReceiver(receiverDeps);
    createBoltApp(settings, boltReceiver, receiver, { ...receiverDeps, respond, home });
    let ready = Promise.withResolvers<void>();
    const connectionDeps: ConnectionDeps = {
      clock,
      logger,
      onEnvelope: boltReceiver.accept,
      onConnecting: () => {
        // A new connection may miss edits too, which catching up does not find.
        heard.messages.eventsLost();
        ready = Promise.withResolvers<void>();
        receiver.holdUntil(ready.promise);
      },
      onConnected: ({ isSeamless, isOnly }) => {
        if (isOnly) heard.messages.listen();
        logger.info('Slack: connected', { team: me.teamName, user: me.userId });
        // Beside other processes, which store newer messages at once, waiting for missed ones would only spoil the order.
        if (host.others && !isOnly) ready.resolve();
        void (
          isSeamless ? Promise.resolve() : catchUp(receiverDeps, receiver, { holds, closing: closing.signal })
        ).then(ready.resolve);
        resolve();
      },
    };
    connection = isHttpMode(settings)
      ? createHttpConnection({
          ...connectionDeps,
          settings,
          // Slack does not tell how many processes receive requests.
          isOnly: host.others === undefined,
          onFailed: reject,
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
    connection.open();
    return connected;
  };

  let startedWith: ChannelHost | undefined;
  let onlySends = false;

  const begin = async (host: ChannelHost): Promise<void> => {
    const me = await identify();
    checkScopes(me);
    self = me;
    if (!onlySends && !closing.signal.aborted) await connect(host, me);
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
      host.others?.onJoined(() => heard.messages.eventsLost());
      host.home.onErased(({ channelId, userId }) => {
        if (channelId === SLACK) home.erased(userId);
      });
      const wrongKind = checkTokenKinds(settings);
      if (wrongKind) throw wrongKind;
      let isOver = false;
      const begun = begin(host).catch(async (error: unknown) => {
        if (closing.signal.aborted) return;
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
