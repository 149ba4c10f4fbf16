import type {
  AnswerSources,
  Explanation,
  FactSource,
  NumberSource,
  SourceOperand,
} from '#src/kernel/agent/answer-sources.ts';
import type { Exchanges } from '#src/kernel/chat/exchanges.ts';
import type { TurnStore } from '#src/kernel/agent/turn-store.ts';
import {
  asId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import { isPrivateOf } from '#src/kernel/chat/conversation-key.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { stripControlTokens } from '#src/kernel/text.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { checkInSteps } from './grounding/judge/check-answer.ts';
import type { AnswerCheck, CheckedNumber } from './grounding/judge/verdict.ts';
import {
  EARLIER_TOOL,
  type Evidence,
  evidenceIn,
  type KnownFact,
  type QuotedFrom,
} from './grounding/facts/evidence.ts';
import { answerIn } from './loop/answer-facts.ts';
import { withoutRepaired } from './memory/transcript/repaired-answers.ts';
import { turnsOf } from './memory/transcript/transcript-entry.ts';
import type { TranscriptEntry, TranscriptStore } from './memory/transcript/transcript-store.ts';

interface AnswerSourcesDeps {
  readonly transcripts: Pick<TranscriptStore, 'loadAll'>;
  readonly turns: Pick<TurnStore, 'isBegun' | 'sessionOf' | 'sendersIn' | 'liveIn'>;
  readonly exchanges: Pick<Exchanges, 'behind' | 'of'>;
  /** Whether a tool reads account data. */
  readonly isSensitive: (tool: string) => boolean;
}

type Turn = readonly TranscriptEntry[];

/** The part of a session key behind the agent: two people in one chat may be answered by two agents. */
const placeOf = (key: SessionKey): string => key.split(':').slice(2).join(':');

const inboxIdsOf = (turn: Turn): readonly InboxId[] => turn.flatMap(({ message }) => message.inboxIds ?? []);

const answerOf = (turn: Turn): string => stripControlTokens(answerIn(turn.map(({ message }) => message)));

/** The last answer to the person, or else the last answer. */
const lastAnswer = (all: readonly Turn[], isOwn: (turn: Turn) => boolean): number => {
  const own = all.findLastIndex((turn) => isOwn(turn) && answerOf(turn) !== '');
  return own === -1 ? all.findLastIndex((turn) => answerOf(turn) !== '') : own;
};

/** Shorter values are equal by chance. */
const MIN_TELLING_DIGITS = 3;

const isTelling = (value: string): boolean =>
  value.replace(/^-?0*\.?0*/, '').replace('.', '').length >= MIN_TELLING_DIGITS;

/** The last fact with the value of an operand. */
const operandOf = (
  value: string,
  facts: readonly KnownFact[],
  sourceOf: (known: KnownFact) => FactSource,
): SourceOperand => {
  const known = isTelling(value)
    ? facts.findLast(({ fact }) => fact.metric !== 'calculation' && Number(fact.value) === Number(value))
    : undefined;
  return { value, ...(known && { source: sourceOf(known) }) };
};

/** A number in a formula. */
const NUMBER = /\d[\d,]{0,40}(?:\.\d{1,40})?/gu;

const KIND_OF_QUOTE: Readonly<Record<QuotedFrom, 'asked' | 'answered' | 'read'>> = {
  person: 'asked',
  answer: 'answered',
  tool: 'read',
  stranger: 'read',
  context: 'read',
};

/** A number as the answer writes it, without the markup in it. */
const written = ({ text }: CheckedNumber): string => text.replaceAll(/[*_~`[\]|\n]/gu, '').trim();

/** All names by entity: one fact of a result is enough to say them. */
const namesIn = (facts: readonly KnownFact[]): ReadonlyMap<string, readonly string[]> =>
  new Map(facts.flatMap(({ fact }) => (fact.names ? [[fact.entity, fact.names] as const] : [])));

/** The numbers of an answer with their sources. Facts of account data are not shown where `isHidden` says so. */
const sourcesOf = (
  { numbers, uncheckedCount }: AnswerCheck,
  evidence: Evidence,
  isHidden: (known: KnownFact) => boolean,
): Pick<Extract<Explanation, { status: 'found' }>, 'numbers' | 'exemptCount' | 'uncheckedCount'> => {
  const names = namesIn(evidence.facts);
  const sourceOf = ({ fact, tool }: KnownFact): FactSource => ({
    fact,
    tool: tool === EARLIER_TOOL ? '' : tool,
    names: fact.names ?? names.get(fact.entity) ?? [],
  });
  const shown = evidence.facts.filter((known) => !isHidden(known));
  const calculated = (number: CheckedNumber): NumberSource => {
    const { formula, known } = number;
    const { label, operands = [] } = known?.fact ?? {};
    const made = formula ?? label;
    return {
      kind: 'calculated',
      text: written(number),
      ...(made !== undefined && { formula: made }),
      operands: operands.map((value) => operandOf(value, shown, sourceOf)),
      ...(known && { source: sourceOf(known) }),
    };
  };

  const hidden = new Set(evidence.facts.filter(isHidden).map(({ fact }) => Math.abs(Number(fact.value))));
  const isOfHidden = ({ formula = '' }: CheckedNumber): boolean =>
    hidden.size > 0 &&
    (formula.match(NUMBER) ?? []).some((operand) => hidden.has(Number(operand.replaceAll(',', ''))));

  const explained = (number: CheckedNumber): readonly NumberSource[] => {
    const { verdict, known } = number;
    const text = written(number);
    if (verdict === 'exempt') return [];
    if ((known && isHidden(known)) || isOfHidden(number)) return [{ kind: 'private', text }];
    switch (verdict) {
      case 'supported':
        if (known?.fact.metric === 'calculation') return [calculated(number)];
        return [known ? { kind: 'fact', text, source: sourceOf(known) } : { kind: 'read', text }];
      case 'derived':
        return [calculated(number)];
      case 'quoted':
        return [{ kind: KIND_OF_QUOTE[number.quotedFrom ?? 'tool'], text }];
      case 'unsupported':
        return [{ kind: 'unknown', text }];
    }
    return verdict satisfies never;
  };

  const all = numbers.flatMap(explained);
  return {
    numbers: [...new Map(all.map((number) => [JSON.stringify(number), number])).values()],
    exemptCount: numbers.filter(({ verdict }) => verdict === 'exempt').length,
    uncheckedCount,
  };
};

const isOf = (turn: Turn, person: UserId, senders: ReadonlyMap<TurnId, UserId>): boolean =>
  turn.some(({ turnId }) => senders.get(turnId) === person);

/** In a thread of Slack every message replies to the first one, which says nothing. */
const repliedTo = ({ replyToMessageId, messageThreadId }: TurnContext): MessageId | undefined =>
  replyToMessageId === (messageThreadId as string | undefined) ? undefined : replyToMessageId;

/** Whether it is the sender's own conversation, or everybody in the chat of this message can read it. */
const isReadable = (
  key: SessionKey,
  { channelId, senderId: userId, sessionKey, parentSessionKey }: TurnContext,
): boolean =>
  isPrivateOf(key, { channelId, userId }) ||
  [sessionKey, parentSessionKey].some((own) => own !== undefined && placeOf(own) === placeOf(key));

/** A turn with an answer, and all turns before it. */
interface FoundTurn {
  readonly before: readonly Turn[];
  readonly turn: Turn;
  readonly isOwn: boolean;
}

/** Explains answers from the stored conversation, so that it works after restarts and compactions too. */
export const createAnswerSources = (deps: AnswerSourcesDeps): AnswerSources => {
  const { transcripts, turns, exchanges } = deps;

  /** The ended turns of a conversation, also those that a summary replaced. */
  const endedTurns = async (sessionKey: SessionKey): Promise<readonly Turn[]> => {
    const [entries, live] = await Promise.all([transcripts.loadAll(sessionKey), turns.liveIn(sessionKey)]);
    return turnsOf(entries).turns.filter((turn) => turn.every(({ turnId }) => !live.has(turnId)));
  };

  const found = async (
    { sessionKey, senderId }: Pick<TurnContext, 'sessionKey' | 'senderId'>,
    choose: (all: readonly Turn[], isOwn: (turn: Turn) => boolean) => number,
  ): Promise<FoundTurn | undefined> => {
    const [all, senders] = await Promise.all([endedTurns(sessionKey), turns.sendersIn(sessionKey)]);
    const isOwn = (turn: Turn): boolean => isOf(turn, senderId, senders);
    const index = choose(all, isOwn);
    const turn = all[index];
    return turn && { before: all.slice(0, index), turn, isOwn: isOwn(turn) };
  };

  /** Answers that only one person could see are explained to that person alone, and only as privately. */
  const isShown = async (
    { turn, isOwn }: FoundTurn,
    { chatType, interaction }: TurnContext,
  ): Promise<boolean> => {
    if (chatType === 'direct') return true;
    const asked = await exchanges.of(inboxIdsOf(turn));
    const isPrivate = [...asked.values()].some(({ message }) => message.interaction?.isPrivate);
    return !isPrivate || (isOwn && interaction?.isPrivate === true);
  };

  const explainTurn = async (ctx: TurnContext, of: FoundTurn): Promise<Explanation> => {
    const answer = answerOf(of.turn);
    const last = of.turn.findLast(({ message }) => message.role === 'assistant');
    if (!last || answer === '' || !(await isShown(of, ctx))) return { status: 'none' };
    const answeredAt = Temporal.Instant.from(last.at);
    // A corrected answer and the note on it are full of wrong numbers.
    const messages = withoutRepaired([...of.before, of.turn].flat()).map(({ message }) => message);
    const answeredOn = answeredAt.toZonedDateTimeISO(ctx.timeZone).toPlainDate();
    const evidence = evidenceIn(messages, answeredOn);
    const check = await byTime(checkInSteps(answer, evidence), NEVER_ABORTED);
    const isHidden = ({ tool }: KnownFact): boolean =>
      ctx.chatType !== 'direct' && tool !== EARLIER_TOOL && deps.isSensitive(tool);
    return { status: 'found', answeredAt, isOwn: of.isOwn, ...sourcesOf(check, evidence, isHidden) };
  };

  const explainAnswerTo = async (ctx: TurnContext, asked: InboxId): Promise<Explanation> => {
    // The row of the turn may be gone before its conversation.
    const sessionKey = (await turns.sessionOf(asked)) ?? ctx.sessionKey;
    if (!isReadable(sessionKey, ctx)) return { status: 'gone' };
    const turn = await found({ sessionKey, senderId: ctx.senderId }, (all) =>
      all.findIndex((each) => inboxIdsOf(each).includes(asked)),
    );
    return turn ? explainTurn(ctx, turn) : { status: 'gone' };
  };

  /** The answer that a message of the platform belongs to; undefined if the message is not known. */
  const explainMessage = async (ctx: TurnContext, id: MessageId): Promise<Explanation | undefined> => {
    const entry = await exchanges.behind(ctx, id);
    if (!entry) return undefined;
    // Commands and their answers belong to no conversation.
    return (await turns.isBegun(entry.id)) ? explainAnswerTo(ctx, entry.id) : { status: 'other' };
  };

  return {
    explain: async (ctx, answered) => {
      if (answered) return explainAnswerTo(ctx, answered);
      const meant = repliedTo(ctx);
      const pointedAt = meant && (await explainMessage(ctx, meant));
      if (pointedAt) return pointedAt;
      const last = await found(ctx, lastAnswer);
      if (last) return explainTurn(ctx, last);
      // A thread in which nothing was answered yet hangs on a message.
      const root = ctx.parentSessionKey && ctx.messageThreadId;
      return (root && (await explainMessage(ctx, asId<MessageId>(root)))) ?? { status: 'none' };
    },
  };
};
