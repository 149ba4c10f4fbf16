import type { LiveAnswer, LiveOptions } from '#src/kernel/chat/live-answer.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { cut } from '#src/kernel/text.ts';
import { afterInContext } from '#src/platform/concurrency/clock.ts';
import { insist } from '#src/platform/concurrency/retry.ts';
import { withVisibleLinksSoFar } from '#src/platform/text/visible-links.ts';
import { CODES, hasCode, isRefusal } from '../api.ts';
import { NOTHING } from './files.ts';
import type { InteractionReplies } from './interaction-replies.ts';
import { nonceOf } from './posting.ts';
import {
  channelOf,
  createFindSent,
  isPastNonceLife,
  type DiscordOutboundDeps,
  referenceOf,
} from './outbound.ts';
import { contentOf, MAX_CONTENT, sentence } from './render.ts';

const EDIT_EVERY_MS = 1_000;
/** Until an edit is tried again that left its place to more important requests. */
const YIELD_MS = 250;
const MAX_FAILURES = 3;
const TIME_LIMIT_MS = 10_000;
/** Leaves room to close a code block, and for the status line. */
const MAX_TEXT = MAX_CONTENT - 120;

const limit = (): AbortSignal => AbortSignal.timeout(TIME_LIMIT_MS);

/** Closes a code block that the answer so far leaves open; the status line would be part of it. */
const closed = (text: string): string => {
  const isOpen = (text.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
  return isOpen ? `${text}\n\`\`\`` : text;
};

/** The answer so far, with the status in small letters below it. */
const renderLive = (text: string, status: string): string => {
  const shown = text.trim() === '' ? '' : closed(cut(withVisibleLinksSoFar(text), MAX_TEXT));
  const line = status === '' ? '' : `-# ${cut(status.replaceAll(/\s+/g, ' '), 100)}`;
  return [shown, line].filter((part) => part !== '').join('\n');
};

/** For the mode `status`: Discord has no status line, and typing is shown anyway. */
export const SILENT: LiveAnswer = {
  showStatus: () => undefined,
  showText: () => undefined,
  end: async () => undefined,
};

interface LiveDeps extends DiscordOutboundDeps {
  readonly replies: InteractionReplies;
  readonly isBusy: () => boolean;
}

interface LiveState {
  messageId: MessageId | undefined;
  /** Since when the message may exist although its id is unknown. */
  lostSince: Temporal.Instant | undefined;
}

/**
 * One message that is edited at most once a second. Only the newest state is shown, and one request runs at a time.
 * After a few failures it gives up: the answer itself is sent separately.
 */
export const openLiveMessage = (target: ReplyTarget, options: LiveOptions, deps: LiveDeps): LiveAnswer => {
  const { isBusy, clock, logger } = deps;

  const message: LiveState = { messageId: options.messageId, lostSince: options.inDoubtSince };
  const { show, findLost, remove } = createLiveRequests(target, options, deps, message);
  let text = '';
  let status = '';
  let shown: string | undefined;
  let isEnded = false;
  let failures = 0;
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let hasShownText = false;

  const refresh = async (): Promise<void> => {
    const content = renderLive(text, status);
    if (content === '' || content === shown || failures >= MAX_FAILURES) return;
    shown = content;
    hasShownText ||= text !== '';
    try {
      await show(content);
    } catch (error) {
      const isFinal = isRefusal(error);
      // The message may have been posted although the response was lost.
      if (message.messageId === undefined && !isFinal) message.lostSince ??= clock.now();
      failures = isFinal ? MAX_FAILURES : failures + 1;
      if (hasCode(error, CODES.unknownMessage)) message.messageId = undefined;
      logger.warn('Discord: could not update the live message', { error });
    }
  };

  const schedule = (): void => {
    if (isEnded || running) return;
    if (message.messageId !== undefined && !isFirstText() && isBusy()) {
      cancelTimer ??= afterInContext(clock, YIELD_MS, () => {
        cancelTimer = undefined;
        schedule();
      });
      return;
    }
    // Of an edit that has yielded. Otherwise it would forget the timer of this one.
    cancelTimer?.();
    cancelTimer = undefined;
    running = refresh().then(() => {
      if (isEnded) return;
      const again = (): void => {
        running = undefined;
        cancelTimer = undefined;
        if (renderLive(text, status) !== shown) schedule();
      };
      if (isFirstText()) again();
      else cancelTimer = afterInContext(clock, EDIT_EVERY_MS, again);
    });
  };

  /** The first text does not wait behind a status. */
  const isFirstText = (): boolean => text !== '' && !hasShownText && failures === 0;

  return {
    showStatus: (newest) => {
      status = newest;
      schedule();
    },
    showText: (whole) => {
      text = whole;
      status = '';
      if (cancelTimer && isFirstText()) {
        cancelTimer();
        cancelTimer = undefined;
        running = undefined;
      }
      schedule();
    },
    end: async (how) => {
      isEnded = true;
      cancelTimer?.();
      await running;
      cancelTimer?.();
      if (message.messageId === undefined && message.lostSince && !target.interaction)
        await findLost(message.lostSince);
      if (message.messageId === undefined || how !== 'dropped') return message.messageId;
      await remove(message.messageId);
      return undefined;
    },
  };
};

/** The requests for one live message. */
const createLiveRequests = (
  target: ReplyTarget,
  options: LiveOptions,
  deps: LiveDeps,
  message: LiveState,
) => {
  const { messages, directory, replies, clock, logger } = deps;
  const { interaction, accountId } = target;

  /** Searches for a message whose id was not recorded and whose nonce Discord has forgotten. */
  const findEarlier = async (): Promise<string | undefined> => {
    const { deliveryId } = options;
    const inDoubtSince = message.lostSince;
    if (!inDoubtSince || !isPastNonceLife(inDoubtSince, clock.now())) return undefined;
    const reference = referenceOf(target);
    if (reference === undefined) return undefined;
    const sought = { deliveryId, target, payload: { text: '' }, inDoubtSince };
    const found = await createFindSent(
      deps,
      ({ message_reference: replied }) => replied?.message_id === reference,
    )(sought, limit());
    return found?.id;
  };

  const post = async (content: string): Promise<string> => {
    const channelId = await channelOf(target, directory, limit());
    const earlier = await findEarlier();
    if (earlier !== undefined) {
      await messages.edit(channelId, earlier, sentence(content), NOTHING, limit());
      return earlier;
    }
    const how = { nonce: nonceOf(options.deliveryId), replyTo: referenceOf(target) };
    const posted = await messages.post(channelId, sentence(content), how, limit());
    // Discord answered the nonce with the message of an earlier attempt.
    if (posted.content !== contentOf({ text: content }) && message.lostSince)
      await messages.edit(channelId, posted.id, sentence(content), NOTHING, limit());
    return posted.id;
  };

  const show = async (content: string): Promise<void> => {
    const known = message.messageId;
    let id = known as string | undefined;
    if (interaction)
      id = (await replies.edit(accountId, interaction.token, known, sentence(content), limit())).id;
    else if (known === undefined) id = await post(content);
    else
      await messages.edit(
        await channelOf(target, directory, limit()),
        known,
        sentence(content),
        NOTHING,
        limit(),
      );
    if (known !== undefined || id === undefined) return;
    message.messageId = asId<MessageId>(id);
    await options.onPosted(message.messageId);
  };

  /** Finds a message whose id is unknown. While Discord knows the nonce, posting again returns that message. */
  const findLost = async (since: Temporal.Instant): Promise<void> => {
    try {
      const find = () => (isPastNonceLife(since, clock.now()) ? findEarlier() : post('-# …'));
      const id = await insist(find, clock);
      if (id !== undefined) message.messageId = asId<MessageId>(id);
    } catch (error) {
      logger.warn('Discord: could not find a live message that may have been posted', { error });
    }
  };

  const remove = async (id: MessageId): Promise<void> => {
    try {
      const request = async (): Promise<void> =>
        interaction
          ? replies.remove(accountId, interaction.token, id, limit())
          : messages.remove(await channelOf(target, directory, limit()), id, limit());
      await insist(request, clock);
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage))
        logger.warn('Discord: could not remove a live message', { error });
    }
  };

  return { show, findLost, remove };
};
