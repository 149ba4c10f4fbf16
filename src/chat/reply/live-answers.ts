import type { ChannelPlugin, LiveAnswer, LiveMode } from '#src/kernel/channel.ts';
import type { GuildSetting } from '#src/kernel/guild-settings.ts';
import type { ChannelId, ChatId, DeliveryId, MessageId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { LiveMessage, LiveMessages } from '#src/platform/storage/messages/live-messages.ts';
import { targetOf } from './delivery.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionEvent } from '#src/kernel/execution.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { newId } from '#src/platform/ids.ts';
import { createLiveScene, type DescribeTool, type LiveScene } from './live-scene.ts';

/** What the operator set about answers that are shown while they are made. */
interface LiveSettings {
  /** Where nothing else is chosen. */
  readonly mode: LiveMode;
  /** By platform (`discord`) or chat (`discord:123`). */
  readonly channels: Readonly<Record<string, LiveMode>>;
}

/** What those who run a server chose for it goes before the configuration, there the chat before the platform. */
export const liveModeOf = (
  settings: LiveSettings,
  guild: Pick<GuildSetting, 'live'>,
  { channelId, chatId }: { readonly channelId: ChannelId; readonly chatId: ChatId },
): LiveMode =>
  guild.live ?? settings.channels[`${channelId}:${chatId}`] ?? settings.channels[channelId] ?? settings.mode;

/** How what is shown comes to its end. `kept`: the process goes down, and the next one goes on with it. */
type LiveEnd = 'replaced' | 'dropped' | 'kept';

/** Where an answer is shown. */
interface LivePlace {
  readonly ctx: MsgContext;
  readonly channel: ChannelPlugin;
}

interface LivePostDeps {
  readonly store: Pick<LiveMessages, 'record' | 'remove'>;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** What a channel shows of one answer, with the row that outlives the process. */
interface LivePost {
  readonly live: LiveAnswer;
  readonly end: (how: LiveEnd) => Promise<void>;
  /** Nobody waits any longer for its end: the answer goes its own way. */
  readonly giveUp: () => void;
}

/** `row`: the message it is shown in, written before it is posted. Undefined where the channel can show nothing. */
const openLivePost = (
  { ctx, channel }: LivePlace,
  mode: Exclude<LiveMode, 'off'>,
  row: LiveMessage & { readonly isNew: boolean },
  { store, clock, logger }: LivePostDeps,
): LivePost | undefined => {
  const { inboxId, locale } = ctx;
  const { deliveryId, openedAt } = row;
  /** Also while it is being written: who delivers may have read it already. */
  let isRecorded = row.messageId !== undefined;
  let isGivenUp = false;

  const record = async (messageId: MessageId): Promise<void> => {
    isRecorded = true;
    try {
      await store.record(inboxId, deliveryId, messageId, clock.now());
    } catch (error) {
      logger.warn('Where an answer is shown could not be recorded', { inboxId, error });
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
      const left = await live.end(how === 'dropped' ? 'dropped' : 'replaced');
      if (isGivenUp) {
        // The answer stands beside it by now: what came too late would be half an answer for ever.
        if (how === 'replaced' && left !== undefined && !isRecorded)
          await openAt({ messageId: left })?.end('dropped');
        return;
      }
      if (left !== undefined && !isRecorded) await record(left);
      // Of a mere status there is no row, but there may be one of an earlier run.
      if (left === undefined && how !== 'kept' && mode === 'stream') await store.remove(inboxId);
    },
  };
};

export interface LiveAnswersDeps {
  readonly store: LiveMessages;
  readonly modeOf: (ctx: MsgContext) => LiveMode;
  readonly describeTool: DescribeTool;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** What is shown of one run. Nothing of it throws, and nothing of it holds the run up. */
export interface LiveView {
  readonly onEvent: (event: ExecutionEvent) => void;
  /** Resolves when nothing more is shown, or when a moment has passed. A second call changes nothing. */
  readonly end: (how: LiveEnd) => Promise<void>;
}

/** Shows answers while they are made. */
export interface LiveAnswers {
  /** For one run; it ends by itself when the signal aborts. */
  readonly begin: (ctx: MsgContext, channel: ChannelPlugin, signal: AbortSignal) => LiveView;
  /**
   * Takes away what is left of an answer in whose place nothing will stand; `unrecorded`: only where it is not known
   * where it stands, for the answer cannot have taken its place then. Resolves as `end` does.
   */
  readonly withdraw: (ctx: MsgContext, channel: ChannelPlugin, which?: 'unrecorded') => Promise<void>;
}

/** Less than an aborted stage gets to leave its work in order. */
const END_WAIT_MS = 1_500;

/** What becomes of it when a run fails: a sentence follows, except where nobody waits for one. */
export const liveEndAfter = (error: unknown): LiveEnd => {
  if (!(error instanceof RunAbortedError)) return 'replaced';
  if (error.kind === 'superseded') return 'dropped';
  return error.kind === 'shutdown' ? 'kept' : 'replaced';
};

export const createLiveAnswers = (deps: LiveAnswersDeps): LiveAnswers => {
  const { store, clock, logger } = deps;

  const warn = ({ ctx, channel }: LivePlace, error: unknown): void =>
    logger.warn('An answer could not be shown while it was made', {
      inboxId: ctx.inboxId,
      channelId: channel.id,
      error,
    });

  /** Never rejects. `onLate`: it takes too long, and nobody waits any more. */
  const bounded = async (place: LivePlace, work: () => Promise<void>, onLate: () => void): Promise<void> => {
    const working = work().catch((error: unknown) => warn(place, error));
    const isDone = await waitAtMost(
      working.then(() => true),
      END_WAIT_MS,
      clock,
    );
    if (!isDone) onLate();
  };

  /** What an earlier run left, or another mode: shown or not, it must not stay as it is. */
  const openEarlier = async (place: LivePlace, how: LiveEnd): Promise<LivePost | undefined> => {
    if (!place.channel.openLive || how === 'kept') return undefined;
    const row = await store.find(place.ctx.inboxId);
    const isSettled = !row || (how === 'replaced' && row.messageId !== undefined);
    return isSettled ? undefined : openLivePost(place, 'stream', { ...row, isNew: false }, deps);
  };

  const begin = (place: LivePlace, mode: LiveMode, signal: AbortSignal): LiveView => {
    const { ctx, channel } = place;
    const follow = createLiveScene(ctx.locale, deps.describeTool);
    let opening: Promise<void> | undefined;
    let ending: Promise<void> | undefined;
    let post: LivePost | undefined;
    let isLate = false;
    let newest: LiveScene | undefined;
    let shown: LiveScene | undefined;

    const show = (): void => {
      if (!post || !newest) return;
      const { live } = post;
      const { text, status } = newest;
      const before = shown;
      shown = newest;
      // What counts comes last: words of the answer, or what is done as long as there are none.
      if (text !== '' && status !== before?.status) live.showStatus(status);
      if (mode === 'stream' && text !== (before?.text ?? '')) live.showText(text);
      if (text === '' && status !== before?.status) live.showStatus(status);
    };
    /** A row is written only where a message may be posted. */
    const open = async (wanted: 'status' | 'stream'): Promise<void> => {
      const deliveryId = newId<DeliveryId>();
      const at = clock.now();
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
      post = await openEarlier(place, how);
      if (isLate) post?.giveUp();
      await post?.end(how);
    };
    const end = (how: LiveEnd): Promise<void> => {
      signal.removeEventListener('abort', onAbort);
      ending ??= bounded(
        place,
        () => finish(how),
        () => {
          isLate = true;
          // What the next process goes on with has to be recorded, however late.
          if (how !== 'kept') post?.giveUp();
        },
      );
      return ending;
    };
    const onAbort = (): void => void end(liveEndAfter(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });

    return {
      end,
      onEvent: (event) => {
        if (mode === 'off' || !channel.openLive || ending) return;
        try {
          newest = follow(event) ?? newest;
          if (newest) opening ??= open(mode).catch((error: unknown) => warn(place, error));
          show();
        } catch (error) {
          warn(place, error);
        }
      },
    };
  };

  return {
    begin: (ctx, channel, signal) => begin({ ctx, channel }, deps.modeOf(ctx), signal),
    withdraw: (ctx, channel, which) => {
      const place = { ctx, channel };
      const work = async (): Promise<void> =>
        // What may be replaced is settled where it is recorded: only the rest is opened for that.
        (await openEarlier(place, which === 'unrecorded' ? 'replaced' : 'dropped'))?.end('dropped');
      return bounded(place, work, () => undefined);
    },
  };
};
