import type { AnswerDisplay, ReceiptsOf } from '#src/kernel/agent/execution.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { ConversationMessage, StandIn } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { numbersIn } from '#src/reading/numbers.ts';
import {
  blocksIn,
  receiptsIn,
  textsIn,
  type ToolResultBlock,
  withDerivedSamples,
} from '../content-blocks.ts';
import type { CheckedNumber } from '../grounding/judge/verdict.ts';
import type { TranscriptStore } from '../memory/transcript/transcript-store.ts';
import { personText } from '../memory/window/turns.ts';
import { unfenced } from '../tools/untrusted-text.ts';
import type { TurnHistory } from './turn-history.ts';

const textOf = (message: ConversationMessage): string =>
  message.isNote ? '' : textsIn(message).join('\n\n');

/**
 * The last answer in the model's words, with the parts before it after which the provider paused. Where a correction
 * failed, the answer is the one before it.
 */
export const answerIn = (messages: readonly ConversationMessage[]): string => {
  const end = messages.findLastIndex((message) => message.role === 'assistant');
  if (messages[end]?.isNote && messages[end].shown !== undefined)
    return answerIn(
      messages.slice(
        0,
        Math.max(
          0,
          messages.findLastIndex(({ isRepair }) => isRepair),
        ),
      ),
    );
  let start = end;
  while (messages[start - 1]?.isPaused) start -= 1;
  return messages
    .slice(Math.max(0, start), end + 1)
    .map(textOf)
    .filter((text) => text !== '')
    .join('');
};

/** The last answer as people saw it: with what was doubted marked. */
export const shownIn = (messages: readonly ConversationMessage[]): string =>
  messages.findLast((message) => message.role === 'assistant')?.shown ?? answerIn(messages);

/** The model of the last answer, if it was a less reliable stand-in for the chosen one. */
export const standInOf = (messages: readonly ConversationMessage[]): StandIn | undefined =>
  messages.findLast((message) => message.role === 'assistant')?.standIn;

/** More pictures would hide the answer; the newest matter most. */
const MAX_MEDIA = 4;

/** Media that this turn's tools produced for the person. */
export const mediaIn = (messages: readonly ConversationMessage[]): readonly MediaAttachment[] =>
  blocksIn(messages, 'tool_result')
    .flatMap(({ media }) => media ?? [])
    .slice(-MAX_MEDIA);

/** The subject of a calculation, which can be anything. */
const NO_SUBJECT = 'calculation';

const subjectsOf = (results: readonly ToolResultBlock[]): ReadonlySet<string> => {
  const subjects = new Set(results.flatMap(({ facts = [] }) => facts.map(({ entity }) => entity)));
  subjects.delete(NO_SUBJECT);
  return subjects;
};

/** The offline model says the short words of a tool, where it has them. */
const displayOf = ({ display, brief, content, isUntrusted }: ToolResultBlock): AnswerDisplay | undefined =>
  display && { ...display, words: brief ?? (isUntrusted ? unfenced(content) : content) };

/**
 * What is shown below the answer of a turn: the question about a name that is still unclear, or else what belongs to the
 * only picture, or else to the last look-up, if that is about all that was looked up since the person last spoke.
 */
export const displayIn = (messages: readonly ConversationMessage[]): AnswerDisplay | undefined => {
  const results = blocksIn(messages, 'tool_result');
  const drawn = results.filter(({ media = [] }) => media.length > 0);
  const asked = blocksIn(
    messages.slice(messages.findLastIndex((message) => personText(message).length > 0) + 1),
    'tool_result',
  );
  const unclear = asked.at(-1);
  if (unclear?.isError) return displayOf(unclear);
  const [picture, second] = drawn;
  if (picture) return second || picture.media?.length !== 1 ? undefined : displayOf(picture);
  const found = asked.filter(({ isError }) => !isError);
  const last = found.findLast(({ display }) => display);
  return last && subjectsOf(found).isSubsetOf(subjectsOf([last])) ? displayOf(last) : undefined;
};

export const createReceiptsOf =
  ({ load }: Pick<TranscriptStore, 'load'>): ReceiptsOf =>
  async ({ sessionKey, inboxId }) => {
    const entries = await load(sessionKey);
    const turn = entries.findLast(({ message }) => message.inboxIds?.includes(inboxId))?.turnId;
    return receiptsIn(entries.flatMap(({ turnId, message }) => (turnId === turn ? [message] : [])));
  };

/** Whether a tool of this turn set something by the clock of the person's zone. */
export const dependsOnZone = (messages: readonly ConversationMessage[]): boolean =>
  blocksIn(messages, 'tool_result').some((result) => result.dependsOnZone);

const MIN_TELLING_DIGITS = 3;
/** Digits anywhere, also inside words: a made-up number must be found however it is written. */
const NUMBER = /\d+(?:[,_']\d{3})*(?:\.\d+)?/g;
/** Digits with a blank between them may be one number or two, so both readings count. */
const SPACED_NUMBER = /\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:\.\d+)?/g;

const withoutSeparators = (number: string): string => number.replaceAll(/[^\d.]/g, '');

/** All numbers in a text in one form, without sign: `7만 1,200` and `$1.2k` as their values. */
const numbersOf = (text: string): ReadonlySet<string> =>
  new Set([
    ...[...text.matchAll(NUMBER), ...text.matchAll(SPACED_NUMBER)].map(([number]) =>
      new Decimal(withoutSeparators(number)).toFixed(),
    ),
    ...numbersIn(text).flatMap(({ value, alternatives }) =>
      [value, ...alternatives].map((each) => each.toFixed()),
    ),
  ]);

const NUMERIC = /^-?\d+(?:\.\d+)?$/;
/** As `toFixed` writes it, which is what most facts have. */
const IN_PLAIN_FORM = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

const isRepeated = ({ value }: Fact, numbers: ReadonlySet<string>): boolean => {
  if (numbers.size === 0 || !NUMERIC.test(value)) return false;
  const plain = IN_PLAIN_FORM.test(value) ? value : new Decimal(value).abs().toFixed();
  // Numbers of one or two digits are in every answer, so a match means nothing.
  return numbers.has(plain) && plain.replace(/^0\.0*|\./, '').length >= MIN_TELLING_DIGITS;
};

/** The raw inputs of tool calls in these messages. */
const inputsIn = (messages: readonly ConversationMessage[]): string =>
  blocksIn(messages, 'tool_use')
    .map(({ input }) => JSON.stringify(input) ?? '')
    .join('\n');

/** The typed text of the person, which is the first block of a message. */
const typedIn = (messages: readonly ConversationMessage[]): string =>
  messages
    .flatMap(({ inboxIds, content: [first] }) => (inboxIds && first?.type === 'text' ? [first.text] : []))
    .join('\n');

const isRound = (number: string): boolean =>
  number.replaceAll('.', '').replaceAll(/^0+|(?<!0)0+$/g, '').length < MIN_TELLING_DIGITS;

type Told = Pick<TurnHistory, 'ofThisTurn' | 'earlierSamples'>;

const factsOfThisTurn = ({ ofThisTurn }: Told): readonly Fact[] =>
  blocksIn(ofThisTurn, 'tool_result').flatMap(({ facts }) => facts ?? []);

/**
 * The numbers of an answer that may be sample numbers of earlier turns. Not what a tool has found in this turn: `100*3` is
 * 300, whatever else was 300. What was calculated with is the person's own only where it is round.
 */
const numbersFromBefore = (answer: string, history: Told): ReadonlySet<string> => {
  const inputs = numbersOf(inputsIn(history.ofThisTurn));
  const typed = numbersOf(typedIn(history.ofThisTurn));
  const found = numbersOf(
    factsOfThisTurn(history)
      .flatMap(({ value }) => (NUMERIC.test(value) ? [value] : []))
      .join('\n'),
  );
  return numbersOf(answer)
    .difference(found)
    .difference(inputs)
    .union(new Set([...inputs].filter((number) => !typed.has(number) || !isRound(number))));
};

/** A sentence or a command that the offline model gives as an example of what to type. */
const EXAMPLE = /"[^"\n]*"|`[^`\n]*`/g;

/** The answer of the offline model with blanks for its examples, whose numbers are nobody's prices. */
export const withoutExamples = (answer: string): string =>
  answer.replaceAll(EXAMPLE, (example) => ' '.repeat(example.length));

/**
 * The facts behind an answer: those of its own turn, and sample numbers of earlier turns that it repeats, that the check
 * found behind one of its numbers, or that something was calculated from. Otherwise a model could pass off a sample price as real a turn later.
 */
export const factsBehind = (
  answer: string,
  history: Told,
  checked: readonly CheckedNumber[] = [],
): readonly Fact[] => {
  const { earlierSamples } = history;
  const numbers = earlierSamples.length > 0 ? numbersFromBefore(answer, history) : new Set<string>();
  const found = new Set(
    checked.flatMap(({ known, start, end }) =>
      known?.fact.isSample && answer.slice(start, end).trim() !== '' ? [known.fact] : [],
    ),
  );
  return [
    ...factsOfThisTurn(history),
    ...earlierSamples.filter((fact) => found.has(fact) || isRepeated(fact, numbers)),
  ];
};

/** The sample numbers of the conversation that a text repeats. */
export const samplesRepeatedIn = (text: string, history: Told): readonly Fact[] => {
  const numbers = numbersOf(text);
  return withDerivedSamples([...history.earlierSamples, ...factsOfThisTurn(history)]).filter(
    (fact) => fact.isSample && isRepeated(fact, numbers),
  );
};
