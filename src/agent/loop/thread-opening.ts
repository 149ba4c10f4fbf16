import type { OpeningOf } from '#src/kernel/agent/execution.ts';
import type { Exchange, InboxEntry } from '#src/kernel/chat/exchanges.ts';
import { asId, type InboxId, type MessageId } from '#src/kernel/ids.ts';
import type { EarlierMessage, MsgContext, TurnContext } from '#src/kernel/chat/message.ts';
import { stripControlTokens } from '#src/kernel/text.ts';
import type { Uses } from '#src/platform/services.ts';
import { personText } from '../memory/window/turns.ts';
import { factsBehind, shownIn } from './answer-facts.ts';
import { samplesIn } from '../content-blocks.ts';
import { turnsOf } from '../memory/transcript/transcript-entry.ts';
import type { TranscriptEntry, TranscriptStore } from '../memory/transcript/transcript-store.ts';

interface ThreadOpeningDeps extends Uses<'exchanges' | 'turns.hasEnded' | 'turns.isBegun'> {
  readonly transcripts: Pick<TranscriptStore, 'load' | 'loadAll' | 'isEmpty'>;
}

type Turn = readonly TranscriptEntry[];

/** A thread is usually about the newest turns, so no more are quoted. */
const MAX_TURNS = 6;
/** Limit for one quoted message, in characters. */
const MAX_CHARS = 4_000;

const inboxIdsOf = (turn: Turn): readonly InboxId[] => turn.flatMap(({ message }) => message.inboxIds ?? []);

const byTime = ([a]: Turn, [b]: Turn): number => (a && b ? Temporal.Instant.compare(a.at, b.at) : 0);

/** Whether a message belongs to the same chat and, in a direct chat, to the same person. */
const isOfParent = (message: MsgContext, ctx: TurnContext): boolean =>
  message.chatType === ctx.chatType &&
  (ctx.chatType !== 'direct' || message.senderId === ctx.senderId) &&
  (message.threadId === undefined || message.threadId === ctx.messageThreadId);

/** Answers that only one person could see must not be quoted. */
const isPrivate = ({ interaction, chatType }: MsgContext): boolean =>
  chatType !== 'direct' && interaction?.isPrivate === true;

/** The turn as people saw it. Empty if any part of it was deleted, has expired or was private. */
const messagesOf = (
  turn: Turn,
  exchanges: ReadonlyMap<InboxId, Exchange>,
  ctx: TurnContext,
): readonly EarlierMessage[] => {
  const found = inboxIdsOf(turn).map((id) => exchanges.get(id));
  const whole = found.flatMap((exchange) => exchange ?? []);
  if (whole.length < found.length || whole.some(({ message: each }) => each.isDeleted || isPrivate(each)))
    return [];
  const isRoot = (id: string): boolean => id === ctx.messageThreadId;
  const isRootTurn = whole.some(({ message: each, answers: sent }) =>
    [each, ...sent].some(({ messageId }) => isRoot(messageId)),
  );
  const rootMark = (ids: readonly MessageId[]): Pick<EarlierMessage, 'root'> =>
    isRootTurn ? { root: ids.some(isRoot) ? 'itself' : 'same-turn' } : {};
  const asked = turn.flatMap(({ message }): readonly EarlierMessage[] => {
    const said = (message.inboxIds ?? []).flatMap((id) => exchanges.get(id)?.message ?? []);
    const [first] = said;
    if (!first) return [];
    return [
      {
        messageId: first.messageId,
        authorName: first.senderName,
        isOurs: false,
        ...(first.senderId === ctx.senderId && { isSenders: true as const }),
        ...rootMark(said.map(({ messageId }) => messageId)),
        text: personText(message).join('\n').slice(0, MAX_CHARS),
        at: first.timestamp,
      },
    ];
  });
  const answers = whole.flatMap((exchange) => exchange.answers);
  const [sent] = answers;
  const answer: readonly EarlierMessage[] = sent
    ? [
        {
          messageId: sent.messageId,
          authorName: 'you',
          isOurs: true,
          ...rootMark(answers.map(({ messageId }) => messageId)),
          text: stripControlTokens(shownIn(turn.map(({ message }) => message))).slice(0, MAX_CHARS),
          at: sent.at,
        },
      ]
    : [];
  return [...asked, ...answer].filter(({ text }) => text.trim() !== '');
};

/**
 * Selects the part of the parent conversation that the first turn of a thread quotes. Reads stored data only,
 * never the platform. A reset parent contributes nothing, and a reset thread starts empty.
 */
export const createOpeningOf = ({ transcripts, turns, exchanges }: ThreadOpeningDeps): OpeningOf => {
  const turnOf = async ({ id, sessionKey }: InboxEntry): Promise<Turn | undefined> => {
    const inEntries = (entries: readonly TranscriptEntry[]): Turn | undefined =>
      turnsOf(entries).turns.find((turn) => inboxIdsOf(turn).includes(id));
    // Turns that a summary replaced are no longer loaded.
    return inEntries(await transcripts.load(sessionKey)) ?? inEntries(await transcripts.loadAll(sessionKey));
  };

  return async (ctx) => {
    const { sessionKey, parentSessionKey, messageThreadId, inboxId, senderId, channelId, chatType } = ctx;
    if (!parentSessionKey || !messageThreadId) return undefined;
    // Nearly always the thread is a running conversation, so that is asked first.
    if (!(await transcripts.isEmpty(sessionKey))) return undefined;
    if (await turns.hasEnded(sessionKey, inboxId)) return undefined;
    const rootId = asId<MessageId>(messageThreadId);
    const accepted = await exchanges.behind(ctx, rootId);
    // Commands and their answers belong to no conversation.
    const root =
      accepted && isOfParent(accepted.message, ctx) && (await turns.isBegun(accepted.id))
        ? accepted
        : undefined;
    const rootTurn = root && (await turnOf(root));
    const last = turnsOf(await transcripts.load(parentSessionKey)).turns.slice(-MAX_TURNS);
    const isLast = last.some((turn) => turn[0]?.turnId === rootTurn?.[0]?.turnId);
    const quoted = (rootTurn && !isLast ? [rootTurn, ...last] : last).toSorted(byTime);
    const kept = await exchanges.of(quoted.flatMap(inboxIdsOf));
    const shown = quoted
      .map((turn) => ({ turn, messages: messagesOf(turn, kept, ctx) }))
      .filter(({ messages }) => messages.length > 0);
    const messages = shown.flatMap((each) => each.messages);
    const earlierSamples = samplesIn(shown.flatMap(({ turn }) => turn.map(({ message }) => message)));
    const words = messages.map(({ text }) => text).join('\n');
    const erasedAt =
      root === undefined && chatType === 'direct'
        ? await exchanges.erasedAt({ channelId, userId: senderId })
        : undefined;
    return {
      messages,
      samples: factsBehind(words, { ofThisTurn: [], earlierSamples }),
      known: [
        ...(root ? [rootId] : []),
        ...shown.flatMap(({ turn }) =>
          inboxIdsOf(turn).flatMap((id) => {
            const exchange = kept.get(id);
            return exchange ? [exchange.message, ...exchange.answers].map(({ messageId }) => messageId) : [];
          }),
        ),
      ],
      isRootUnknown: root === undefined,
      ...(erasedAt && { erasedAt }),
    };
  };
};
