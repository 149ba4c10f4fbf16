import type { CardsOfAnswer } from '#src/kernel/chat/card.ts';
import type { AnswerDisplay, ExecutionResult } from '#src/kernel/agent/execution.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import type { AttachQuotes } from './attach-quotes.ts';

/** An answer with what its tools show beside it. */
export interface DisplayedAnswer {
  readonly text: string;
  /** The answer has the words of the tool, so it is shown as the command's. */
  readonly isBare: boolean;
  readonly cards?: CardsOfAnswer;
  readonly choices: readonly Choice[];
  /** The choices are what a name may mean. */
  readonly isUnclear: boolean;
  readonly typed?: string;
}

/** Below the words of a model, a typed yes or number is for the model, and a press leaves the words. */
const belowWords = ({ effect: _replaces, answers: _typed, ...choice }: Choice): Choice => choice;

/** A typed number is for the offline model, which then knows what the conversation is about. */
const inPlace = (choice: Choice): Choice => {
  if (choice.answers !== 'pick') return choice;
  const { answers: _number, ...button } = choice;
  return button;
};

/** Where nothing stands instead, no blank lines stay around it. */
const inPlaceOf = (words: string, text: string, answer: string): string => {
  if (text !== '') return answer.replace(words, () => text);
  const from = answer.indexOf(words);
  const around = [answer.slice(0, from).trimEnd(), answer.slice(from + words.length).trimStart()];
  return around.filter((each) => each !== '').join('\n\n');
};

/**
 * Puts the cards in the place of the tool's words. An answer in other words keeps them, and the cards come below. `frame`
 * adds what stands around each answer.
 */
export const displayed = (
  answer: string,
  display: AnswerDisplay | undefined,
  frame: (text: string) => string,
): DisplayedAnswer => {
  // What was asked for and silenced is not shown either.
  if (!display || answer === '')
    return { text: frame(answer), isBare: answer === '', isUnclear: false, choices: [] };
  const { words, cards, choices = [], typed } = display;
  const isBare = words !== '' && answer.includes(words);
  const isUnclear = choices.some(({ answers }) => answers === 'pick');
  if (!isBare)
    return {
      text: frame(answer),
      isBare,
      isUnclear,
      ...(cards && { cards: { items: cards.items, text: frame(answer) } }),
      choices: choices.map(belowWords),
    };
  const instead = (text: string): string => frame(inPlaceOf(words, text, answer));
  const isTyped = typed !== undefined && words.endsWith(typed);
  return {
    text: isTyped ? instead(words.slice(0, -typed.length).trimEnd()) : frame(answer),
    isBare,
    isUnclear,
    ...(cards && { cards: { isAnswer: true, ...cards, text: instead(cards.text) } }),
    choices: choices.map(inPlace),
    ...(isTyped && { typed }),
  };
};

/** The quotes that a model asked for are shown in place of what its tools show. A picture keeps its buttons. */
export const withQuotes = (
  own: DisplayedAnswer,
  quoted: NonNullable<Awaited<ReturnType<AttachQuotes>>>,
  {
    said,
    media,
    closed,
  }: { readonly said: string; readonly closed: (text: string) => string } & Pick<ExecutionResult, 'media'>,
): DisplayedAnswer => ({
  text: closed(quoted.text),
  isBare: said === '',
  isUnclear: false,
  ...(quoted.cards && { cards: { items: quoted.cards, text: closed(said) } }),
  choices: media ? own.choices : (quoted.controls ?? []).map(said === '' ? inPlace : belowWords),
});
