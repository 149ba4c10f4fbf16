import type { Fact } from '#src/kernel/tool.ts';
import type { Form } from './forms.ts';
import { type Printed, textOf } from './printed.ts';

/** A number of an answer. */
export interface ValueSlot {
  readonly kind: 'value';
  /** The fact it repeats. Of a derived number: a stand-in with the result. */
  readonly fact: Fact;
  readonly print: Form;
  readonly printed: Printed;
  /** Printed before the number: `+`, `-`, `−` or nothing. */
  readonly sign: string;
  /** The words around it say to which day or period it belongs, or that it is of now. */
  readonly saysWhen: boolean;
  /** The words around it say which metric it is, so that another one is wrong here. */
  readonly saysWhat: boolean;
  readonly isDerived: boolean;
}

/** A word that says up or down. */
export interface DirectionSlot {
  readonly kind: 'direction';
  readonly text: string;
  readonly opposite: string;
  readonly of: ValueSlot;
}

/** The day of a number. */
export interface DateSlot {
  readonly kind: 'date';
  readonly day: Temporal.PlainDate;
  readonly write: (day: Temporal.PlainDate) => string;
  readonly of: readonly ValueSlot[];
}

export type Slot = ValueSlot | DirectionSlot | DateSlot;
export type Part = string | Slot;

/** An answer whose numbers are known. */
export interface Draft {
  readonly group: string;
  readonly parts: readonly Part[];
}

export const isValue = (part: Part): part is ValueSlot => typeof part !== 'string' && part.kind === 'value';

export const textOfPart = (part: Part): string => {
  if (typeof part === 'string') return part;
  if (part.kind === 'value') return `${part.sign}${textOf(part.printed)}`;
  return part.kind === 'direction' ? part.text : part.write(part.day);
};

type Said = string | Slot | readonly Part[];

/** A sentence with its slots: say`${name}: ${slot}`. */
export const say = (strings: TemplateStringsArray, ...said: readonly Said[]): readonly Part[] =>
  strings.flatMap((text, index) => {
    const next = said[index];
    if (next === undefined) return [text];
    return typeof next === 'string' || 'kind' in next ? [text, next] : [text, ...next];
  });

export const joined = (all: readonly (readonly Part[])[], between: string): readonly Part[] =>
  all.flatMap((parts, index) => (index === 0 ? parts : [between, ...parts]));

export interface Rendered {
  readonly text: string;
  readonly spans: ReadonlyMap<Slot, readonly [start: number, end: number]>;
}

/** The text of an answer, with other words in the place of some slots. */
export const render = (parts: readonly Part[], instead: ReadonlyMap<Slot, string> = new Map()): Rendered => {
  const spans = new Map<Slot, readonly [number, number]>();
  let text = '';
  for (const part of parts) {
    const start = text.length;
    text += typeof part === 'string' ? part : (instead.get(part) ?? textOfPart(part));
    if (typeof part !== 'string') spans.set(part, [start, text.length]);
  }
  return { text, spans };
};
