import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { LiveAnswer, LiveEnd, LiveMode } from '#src/kernel/chat/live-answer.ts';
import type { GuildSetting } from '#src/kernel/chat/guild-settings.ts';
import type { DeliveryId, InboxId, MessageId } from '#src/kernel/ids.ts';
import type { ChatPlace, TurnContext } from '#src/kernel/chat/message.ts';
import { afterInContext } from '#src/platform/concurrency/clock.ts';
import type { LiveMessage, LiveMessages } from '../store/live-messages.ts';
import { targetOf } from './delivery.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { newId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { voiceTexts } from '#src/kernel/chat/texts/voice.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/agent/model.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { withSampleMark } from '../store/sample-mark.ts';
import { createTokenScanner, type Scanned } from './control-tokens.ts';

export interface LiveSettings {
  /** For all channels. Undefined: what the channel itself prefers. */
  readonly mode?: LiveMode | undefined;
  /** By platform (`discord`) or chat (`discord:123`). */
  readonly channels: Readonly<Record<string, LiveMode>>;
}

/**
 * The server's own setting overrides the configuration, in which the chat overrides the platform. By default, answers are
 * streamed in direct chats and where the channel prefers it (`inGroups`). Elsewhere, edits would disturb people who did
 * not ask.
 */
export const liveModeOf = (
  settings: LiveSettings,
  guild: Pick<GuildSetting, 'live'>,
  { channelId, chatId, chatType }: ChatPlace,
  inGroups: LiveMode = 'status',
): LiveMode =>
  guild.live ??
  settings.channels[`${channelId}:${chatId}`] ??
  settings.channels[channelId] ??
  settings.mode ??
  (chatType === 'direct' ? 'stream' : inGroups);

/** Where an answer is shown. */
interface LivePlace {
  readonly ctx: TurnContext;
  readonly channel: ChannelPlugin;
}

interface LivePostDeps extends Uses<'clock' | 'logger'> {
  readonly store: Pick<LiveMessages, 'record' | 'remove'>;
}

/** The live message of one answer, with its database row. */
interface LivePost {
  readonly live: LiveAnswer;
  readonly end: (how: LiveEnd) => Promise<void>;
  /** The answer no longer waits for the live message to end. */
  readonly giveUp: () => void;
}

/** `row` is written before the message is posted. Undefined if the channel does not support live messages. */
const openLivePost = (
  { ctx, channel }: LivePlace,
  mode: Exclude<LiveMode, 'off'>,
  row: LiveMessage & { readonly isNew: boolean },
  { store, clock, logger }: LivePostDeps,
): LivePost | undefined => {
  const { inboxId, locale } = ctx;
  const { deliveryId, openedAt } = row;
  /** Also true while recording, because the delivery may have read the id already. */
  let isRecorded = row.messageId !== undefined;
  let isGivenUp = false;

  const record = async (messageId: MessageId): Promise<void> => {
    isRecorded = true;
    try {
      await store.record(inboxId, deliveryId, messageId, clock.now());
    } catch (error) {
      logger.warn('The id of a live message could not be stored', { inboxId, error });
    }
  };
  const openAt = (at: { readonly messageId?: MessageId; readonly inDoubtSince?: Temporal.Instant }) =>
    channel.openLive?.(targetOf(ctx), {
      mode,
      locale,
      deliveryId,
      ...at,
      onPosted: async (messageId) => {
        if (!isGivenUp) await record(messageId);
      },
    });

  const isInDoubt = row.messageId === undefined && !row.isNew;
  const live = openAt({
    ...(row.messageId === undefined ? {} : { messageId: row.messageId }),
    ...(isInDoubt ? { inDoubtSince: openedAt } : {}),
  });
  if (!live) return undefined;

  return {
    live,
    giveUp: () => {
      isGivenUp = true;
    },
    end: async (how) => {
      const left = await live.end(how);
      if (isGivenUp) {
        // The answer was posted separately: a late live message would stay as half an answer.
        if (how === 'replaced' && left !== undefined && !isRecorded)
          await openAt({ messageId: left })?.end('dropped');
        return;
      }
      if (left !== undefined && !isRecorded) await record(left);
      // A status has no row of its own, but an earlier run may have left one.
      if (left === undefined && how !== 'kept' && mode === 'stream') await store.remove(inboxId);
    },
  };
};

export interface LiveAnswersDeps extends Uses<'clock' | 'logger'> {
  readonly store: LiveMessages;
  readonly modeOf: (ctx: TurnContext) => LiveMode;
  readonly describeTool: DescribeTool;
}

/** Shows one run. Never throws and never delays the run. */
export interface LiveView {
  readonly onEvent: (event: ExecutionEvent) => void;
  /** Resolves when nothing more is shown, or after a moment. A second call changes nothing. */
  readonly end: (how: LiveEnd) => Promise<void>;
}

/** Shows answers while they are generated. */
export type LiveAnswers = ReturnType<typeof createLiveAnswers>;

/** Less than the cleanup time of an aborted stage. */
const END_WAIT_MS = 1_500;
/** An answer that comes sooner needs no indicator, and costs no requests for one. */
export const SHOW_AFTER_MS = 120;
/** The first words collect for this long after the first token; then the text is shown in the channel's own interval. */
export const FIRST_TEXT_MS = 200;

/** A failed run is followed by a message that replaces the live one, unless it was superseded or shut down. */
export const liveEndAfter = (error: unknown): LiveEnd => {
  if (!(error instanceof RunAbortedError)) return 'replaced';
  if (error.kind === 'superseded') return 'dropped';
  return error.kind === 'shutdown' ? 'kept' : 'replaced';
};

export const createLiveAnswers = (deps: LiveAnswersDeps) => {
  const { store, clock } = deps;
  /** Messages whose run opened a stream. Their setting may have changed since. */
  const streamed = new Set<InboxId>();

  const begin = (place: LivePlace, mode: LiveMode, signal: AbortSignal): LiveView => {
    const { ctx, channel } = place;
    const follow = createLiveScene(ctx.locale, deps.describeTool, ctx.heard, mode);
    let opening: Promise<void> | undefined;
    let ending: Promise<void> | undefined;
    let post: LivePost | undefined;
    let isLate = false;
    let newest: LiveScene | undefined;
    let shown: LiveScene | undefined;
    let cancelOpening: (() => void) | undefined;
    let cancelText: (() => void) | undefined;
    let hasCollected = false;

    const stopTimers = (): void => {
      cancelOpening?.();
      cancelText?.();
    };
    /** The first token alone is not worth showing. */
    const collectText = (): void => {
      if (mode !== 'stream' || newest?.text === '') return;
      cancelText ??= afterInContext(clock, FIRST_TEXT_MS, () => {
        hasCollected = true;
        show();
      });
    };

    const show = (): void => {
      if (!post || !newest || ending) return;
      const { live } = post;
      const { status } = newest;
      const text = hasCollected || mode !== 'stream' ? newest.text : '';
      const before = shown;
      shown = { text, status };
      // The more important update comes last: the text, or the status while there is no text.
      if (text !== '' && status !== before?.status) live.showStatus(status);
      if (mode === 'stream' && text !== (before?.text ?? '')) live.showText(text);
      if (text === '' && status !== before?.status) live.showStatus(status);
    };
    /** A row is written only if a message may be posted. */
    const open = async (wanted: 'status' | 'stream'): Promise<void> => {
      const deliveryId = newId<DeliveryId>();
      const at = clock.now();
      if (wanted === 'stream') streamed.add(ctx.inboxId);
      const row =
        wanted === 'stream'
          ? await store.open(ctx.inboxId, deliveryId, at)
          : { deliveryId, messageId: undefined, openedAt: at, isNew: true };
      if (!ending) post = openLivePost(place, wanted, row, deps);
      else if (row.isNew) await store.remove(ctx.inboxId);
      show();
    };

    const finish = async (how: LiveEnd): Promise<void> => {
      await opening;
      await post?.end(how);
      if (post && mode === 'stream') return;
      post = await openEarlier(deps, place, how);
      if (isLate) post?.giveUp();
      await post?.end(how);
    };
    const end = (how: LiveEnd): Promise<void> => {
      signal.removeEventListener('abort', onAbort);
      stopTimers();
      ending ??= bounded(
        deps,
        place,
        () => finish(how),
        () => {
          isLate = true;
          // A kept message must be recorded for the next process, however late.
          if (how !== 'kept') post?.giveUp();
        },
      );
      return ending;
    };
    // Runs in the context of the turn, not in that of whoever aborts it.
    const onAbort = AsyncLocalStorage.bind(() => void end(liveEndAfter(signal.reason)));
    signal.addEventListener('abort', onAbort, { once: true });

    return {
      end,
      onEvent: (event) => {
        if (mode === 'off' || !channel.openLive || ending) return;
        try {
          newest = follow(event) ?? newest;
          if (!newest) return;
          collectText();
          cancelOpening ??= afterInContext(clock, SHOW_AFTER_MS, () => {
            opening = open(mode).catch((error: unknown) => warn(deps, place, error));
          });
          show();
        } catch (error) {
          warn(deps, place, error);
        }
      },
    };
  };

  return {
    /** Begins to show a run. It ends by itself when the signal aborts. */
    begin: (ctx: TurnContext, channel: ChannelPlugin, signal: AbortSignal): LiveView =>
      begin({ ctx, channel }, deps.modeOf(ctx), signal),
    /**
     * Removes the live message of an answer that will not follow. `unrecorded`: only if its id was never stored, so that the
     * answer cannot have replaced it. Resolves like `end`.
     */
    withdraw: (ctx: TurnContext, channel: ChannelPlugin, which?: 'unrecorded'): Promise<void> => {
      const place = { ctx, channel };
      const work = async (): Promise<void> =>
        // With `replaced`, a recorded message counts as settled, so only unrecorded ones are opened.
        (await openEarlier(deps, place, which === 'unrecorded' ? 'replaced' : 'dropped'))?.end('dropped');
      return bounded(deps, place, work, () => undefined);
    },
    /**
     * The live message that the answer replaces; undefined if there is none. Only a stream leaves a message, and before the
     * first attempt there was none.
     */
    messageOf: async ({ inboxId, isFirstAttempt }: TurnContext): Promise<MessageId | undefined> =>
      isFirstAttempt && !streamed.has(inboxId) ? undefined : store.messageOf(inboxId),
    /** Call when the work on the message has ended. */
    forget: (inboxId: InboxId) => void streamed.delete(inboxId),
  };
};

/** Never rejects. `onLate` is called if the work takes too long; it then continues in the background. */
const bounded = async (
  deps: LiveAnswersDeps,
  place: LivePlace,
  work: () => Promise<void>,
  onLate: () => void,
): Promise<void> => {
  const working = work().catch((error: unknown) => warn(deps, place, error));
  const isDone = await waitAtMost(
    working.then(() => true),
    END_WAIT_MS,
    deps.clock,
  );
  if (!isDone) onLate();
};

/** The live message of an earlier run or mode, which must be replaced or removed. */
const openEarlier = async (
  deps: LiveAnswersDeps,
  place: LivePlace,
  how: LiveEnd,
): Promise<LivePost | undefined> => {
  if (!place.channel.openLive || how === 'kept' || place.ctx.isFirstAttempt) return undefined;
  const row = await deps.store.find(place.ctx.inboxId);
  const isSettled = !row || (how === 'replaced' && row.messageId !== undefined);
  return isSettled ? undefined : openLivePost(place, 'stream', { ...row, isNew: false }, deps);
};

const warn = ({ logger }: Uses<'logger'>, { ctx, channel }: LivePlace, error: unknown): void =>
  logger.warn('A live message could not be shown', {
    inboxId: ctx.inboxId,
    channelId: channel.id,
    error,
  });

/** The status line of a tool call: "삼성전자 시세 조회 중…". */
export type DescribeTool = (call: ToolCall, locale: Locale) => string;

export interface LiveScene {
  readonly status: string;
  /** The answer so far, without control tokens. The sample mark comes first, because the end may be cut off. */
  readonly text: string;
}

/** Plugins' tools may return long texts. */
const MAX_STATUS_CHARS = 100;

/** Joins the text blocks as the final answer does. */
const textOf = ({ content }: ConversationMessage): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

const hasCalls = ({ content }: ConversationMessage): boolean =>
  content.some((block) => block.type === 'tool_use');

/**
 * Follows a run and returns the scene after each event; undefined if nothing changes. Only the model's last message
 * becomes the answer, so text before a tool call disappears again.
 */
export const createLiveScene = (
  locale: Locale,
  describeTool: DescribeTool,
  /** The words of a voice message, which come first. */
  heard?: string,
  /** With `status`, the text is not shown, so the status has the words. */
  mode: LiveMode = 'stream',
): ((event: ExecutionEvent) => LiveScene | undefined) => {
  const opening = heard === undefined ? '' : voiceTexts(locale).heard({ words: heard });
  const scanner = createTokenScanner();
  /** Status lines of the running calls, by id. */
  const underWay = new Map<string, string>();
  /** The part of this answer before the provider paused. */
  let beforePause = '';
  let visible = '';
  let isSilenced = false;
  let isSample = false;
  /** The model corrects the numbers of its answer. */
  let isRepairing = false;

  const read = (scanned: Scanned): void => {
    visible += scanned.visible;
    isSilenced ||= scanned.tokens.some((token) => token === 'NO_REPLY' || token === 'SILENT_REPLY');
  };
  const beginWith = (text: string): void => {
    scanner.reset();
    visible = '';
    isSilenced = false;
    read(scanner.feed(text));
  };

  const complete = (message: ConversationMessage): void => {
    // Notes of the program are not shown, but what one of them stands for is.
    if (message.isNote && message.shown === undefined) return;
    const answer = hasCalls(message) ? '' : (message.shown ?? beforePause + textOf(message));
    beforePause = message.isPaused ? answer : '';
    beginWith(answer);
    if (!message.isPaused) read(scanner.flush());
  };

  const beginAgain = (isRepair: boolean): void => {
    isRepairing ||= isRepair;
    beginWith(beforePause);
  };

  const describe = (call: ToolCall): string => {
    let status: string;
    try {
      status = describeTool(call, locale);
    } catch {
      status = liveTexts(locale).usingTool({ name: call.name });
    }
    return Array.from(visibleLine(status)).slice(0, MAX_STATUS_CHARS).join('');
  };

  const ownStatus = (answer: string): string => {
    if (answer !== '') return liveTexts(locale).writing();
    return isRepairing ? liveTexts(locale).checkingNumbers() : liveTexts(locale).thinking();
  };

  const statusBeside = (answer: string): string => {
    const [first, ...others] = new Set(underWay.values());
    if (first === undefined) return ownStatus(answer);
    return others.length === 0
      ? first
      : liveTexts(locale).amongOthers({ status: first, more: others.length });
  };

  const scene = (): LiveScene => {
    const answer = isSilenced ? '' : visible.trim();
    const marked = answer === '' ? '' : withSampleMark(answer, [{ isSample }], locale, 'above');
    const text = [opening, marked].filter((part) => part !== '').join('\n\n');
    const status = statusBeside(answer);
    if (mode !== 'status' || heard === undefined) return { text, status };
    return { text, status: voiceTexts(locale).inStatus({ words: heard, status }) };
  };

  const toolBegins = (call: ToolCall): void => {
    // A malformed call is not run.
    if (call.malformed === undefined) underWay.set(call.id, describe(call));
  };
  const toolEnds = (id: string, foundSample: boolean): void => {
    underWay.delete(id);
    isSample ||= foundSample;
  };

  return (event) => {
    if (event.type === 'text_delta') read(scanner.feed(event.delta));
    else if (event.type === 'text_reset') beginAgain(event.isRepair === true);
    else if (event.type === 'message_complete') complete(event.message);
    else if (event.type === 'tool_use_start') toolBegins(event.toolCall);
    else if (event.type === 'tool_use_end') toolEnds(event.toolUseId, event.isSample);
    // A new model request means that no call is running, even if its end was not reported.
    else if (event.type === 'state_change' && event.to === 'streaming') underWay.clear();
    else return undefined;
    return scene();
  };
};
