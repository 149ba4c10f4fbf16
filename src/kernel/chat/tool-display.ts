import type { CardField, CardsOfAnswer } from './card.ts';
import { type Choice, isChoice } from './message.ts';

/** What a command would show beside its words, kept with the result of a tool call. Never shown to a model. */
export interface ToolDisplay {
  readonly cards?: CardsOfAnswer;
  readonly choices?: readonly Choice[];
  /** The last paragraph of the result, for channels without buttons. */
  readonly typed?: string;
}

/** Stored with every look-up of a conversation. Larger cards are left out: the words say the same. */
const MAX_CARD_CHARS = 24_000;
const MAX_CHOICES = 25;

const isText = (value: unknown): boolean => typeof value === 'string';

const isField = (value: unknown): boolean => {
  const { name, value: text } = Object(value) as Partial<CardField>;
  return isText(name) && isText(text);
};

const isCard = (value: unknown): boolean => {
  const { title, headline, footer, fields } = Object(value) as Readonly<Record<string, unknown>>;
  return [title, headline, footer].every(isText) && Array.isArray(fields) && fields.every(isField);
};

const areCards = (value: unknown): value is CardsOfAnswer => {
  const { items, text } = Object(value) as Partial<CardsOfAnswer>;
  return isText(text) && Array.isArray(items) && items.length > 0 && items.every(isCard);
};

/** A display of unknown origin, with its well-formed parts that are not too large; undefined if there are none. */
export const readDisplay = (value: unknown): ToolDisplay | undefined => {
  const { cards, choices, typed } = Object(value) as Partial<ToolDisplay>;
  const drawn = areCards(cards) && JSON.stringify(cards).length <= MAX_CARD_CHARS ? cards : undefined;
  const pressable = Array.isArray(choices) ? choices.filter(isChoice).slice(0, MAX_CHOICES) : [];
  if (!drawn && pressable.length === 0) return undefined;
  return {
    ...(drawn && { cards: drawn }),
    ...(pressable.length > 0 && { choices: pressable }),
    ...(typeof typed === 'string' && { typed }),
  };
};
