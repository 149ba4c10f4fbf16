import type { Fact } from '#src/kernel/market/fact.ts';
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
}

export type Part = string | ValueSlot;

/** An answer whose numbers are known. */
export interface Draft {
  readonly group: string;
  readonly parts: readonly Part[];
}

export const isValue = (part: Part): part is ValueSlot => typeof part !== 'string';

export const textOfPart = (part: Part): string => {
  if (typeof part === 'string') return part;
  return `${part.sign}${textOf(part.printed)}`;
};

type Said = string | ValueSlot | readonly Part[];

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
  readonly spans: ReadonlyMap<ValueSlot, readonly [start: number, end: number]>;
}

/** The text of an answer, with other words in the place of some slots. */
export const render = (
  parts: readonly Part[],
  instead: ReadonlyMap<ValueSlot, string> = new Map(),
): Rendered => {
  const spans = new Map<ValueSlot, readonly [number, number]>();
  let text = '';
  for (const part of parts) {
    const start = text.length;
    text += typeof part === 'string' ? part : (instead.get(part) ?? textOfPart(part));
    if (typeof part !== 'string') spans.set(part, [start, text.length]);
  }
  return { text, spans };
};
