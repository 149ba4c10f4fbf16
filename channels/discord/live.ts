import type { LiveAnswer, LiveOptions } from '#src/kernel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { withVisibleLinksSoFar } from '#src/kernel/visible-links.ts';
import { CODES, hasCode, isRefusal } from './api.ts';
import { NOTHING } from './files.ts';
import type { InteractionAnswers } from './interaction-answers.ts';
import { nonceOf, type Replies } from './posting.ts';
import { channelOf, createFindSent, type OutboundDeps, referenceOf } from './outbound.ts';
import { contentOf, cut, MAX_CONTENT, sentence } from './render.ts';

export interface LiveDeps extends OutboundDeps {
  readonly answers: InteractionAnswers;
  readonly replies: Replies;
}

const EDIT_EVERY_MS = 1_000;
const MAX_FAILURES = 3;
const TIME_LIMIT_MS = 10_000;
const NONCE_LIFE_MS = 120_000;
/** Room for a fence that has to be closed, and for the line below. */
const MAX_TEXT = MAX_CONTENT - 120;

const limit = (): AbortSignal => AbortSignal.timeout(TIME_LIMIT_MS);

/** What is not finished yet must not swallow the rest: an open code block is closed. */
const closed = (text: string): string => {
  const isOpen = (text.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
  return isOpen ? `${text}\n\`\`\`` : text;
};

/** The answer so far, and below it in small letters what is being done. */
const renderLive = (text: string, status: string): string => {
  const shown = text.trim() === '' ? '' : closed(cut(withVisibleLinksSoFar(text), MAX_TEXT));
  const line = status === '' ? '' : `-# ${cut(status.replaceAll(/\s+/g, ' '), 100)}`;
  return [shown, line].filter((part) => part !== '').join('\n');
};

/** Typing is shown anyway: a status line has no place of its own on Discord. */
export const SILENT: LiveAnswer = {
  showStatus: () => undefined,
  showText: () => undefined,
  end: async () => undefined,
};

/**
 * One message that is edited at most once a second. Only the newest state is shown; one request runs at a time. What
 * fails is logged, and given up after a few times: the answer itself comes another way.
 */
export const openLiveMessage = (target: ReplyTarget, options: LiveOptions, deps: LiveDeps): LiveAnswer => {
  const { messages, places, answers, replies, clock, logger } = deps;
  const { interaction, accountId } = target;
  let messageId: MessageId | undefined = options.messageId;
  /** Since when it may stand somewhere without our knowing where. */
  let lostSince = options.inDoubtSince;
  let text = '';
  let status = '';
  let shown: string | undefined;
  let isEnded = false;
  let failures = 0;
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;

  /** Posted by an earlier process that could not say where: Discord remembers the nonce for minutes only. */
  const findEarlier = async (): Promise<string | undefined> => {
    const { deliveryId } = options;
    const inDoubtSince = lostSince;
    if (!inDoubtSince || inDoubtSince.until(clock.now()).total('milliseconds') < NONCE_LIFE_MS)
      return undefined;
    const reference = referenceOf(target);
    if (reference === undefined) return undefined;
    const message = { deliveryId, target, payload: { text: '' }, inDoubtSince };
    const found = await createFindSent(
      deps,
      ({ message_reference: replied }) => replied?.message_id === reference,
    )(message, limit());
    return found?.id;
  };

  const post = async (content: string): Promise<string> => {
    const channelId = await channelOf(target, places, limit());
    const earlier = await findEarlier();
    if (earlier !== undefined) {
      await messages.edit(channelId, earlier, sentence(content), NOTHING, limit());
      return earlier;
    }
    const how = { nonce: nonceOf(options.deliveryId), replyTo: referenceOf(target) };
    const posted = await messages.post(channelId, sentence(content), how, limit());
    // Discord gave the one that was there already.
    if (posted.content !== contentOf({ text: content }) && lostSince)
      await messages.edit(channelId, posted.id, sentence(content), NOTHING, limit());
    return posted.id;
  };

  const show = async (content: string): Promise<void> => {
    const known = messageId;
    let id = known as string | undefined;
    if (interaction)
      id = (await answers.edit(accountId, interaction.token, known, sentence(content), limit())).id;
    else if (known === undefined) id = await post(content);
    else
      await messages.edit(
        await channelOf(target, places, limit()),
        known,
        sentence(content),
        NOTHING,
        limit(),
      );
    if (known !== undefined || id === undefined) return;
    messageId = asId<MessageId>(id);
    await options.onPosted(messageId);
  };

  const refresh = async (): Promise<void> => {
    const content = renderLive(text, status);
    if (content === '' || content === shown || failures >= MAX_FAILURES) return;
    shown = content;
    try {
      await show(content);
    } catch (error) {
      const isFinal = isRefusal(error);
      // It may have been posted, and only the answer to that was lost.
      if (messageId === undefined && !isFinal) lostSince ??= clock.now();
      failures = isFinal ? MAX_FAILURES : failures + 1;
      if (hasCode(error, CODES.unknownMessage)) messageId = undefined;
      logger.warn('What is being answered could not be shown', { error });
    }
  };

  const schedule = (): void => {
    if (isEnded || running) return;
    running = refresh().then(() => {
      if (isEnded) return;
      cancelTimer = clock.after(EDIT_EVERY_MS, () => {
        running = undefined;
        if (renderLive(text, status) !== shown) schedule();
      });
    });
  };

  /**
   * An earlier process may have posted it, or this one in vain, and nothing was shown since. While Discord knows the nonce, posting it
   * again gives the one that is there; later it is looked for.
   */
  const findLost = async (since: Temporal.Instant): Promise<void> => {
    try {
      const isYoung = since.until(clock.now()).total('milliseconds') < NONCE_LIFE_MS;
      const id = isYoung ? await post('-# …') : await findEarlier();
      if (id !== undefined) messageId = asId<MessageId>(id);
    } catch (error) {
      logger.warn('A live message may be left behind', { error });
    }
  };

  const takeAway = async (id: MessageId): Promise<void> => {
    try {
      if (interaction) await replies.remove(accountId, interaction.token, id, limit());
      else await messages.remove(await channelOf(target, places, limit()), id, limit());
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage)) logger.warn('A live message is left behind', { error });
    }
  };

  return {
    showStatus: (words) => {
      status = words;
      schedule();
    },
    showText: (whole) => {
      text = whole;
      status = '';
      schedule();
    },
    end: async (how) => {
      isEnded = true;
      cancelTimer?.();
      await running;
      cancelTimer?.();
      if (messageId === undefined && lostSince && !interaction) await findLost(lostSince);
      if (messageId === undefined || how === 'replaced') return messageId;
      await takeAway(messageId);
      return undefined;
    },
  };
};
