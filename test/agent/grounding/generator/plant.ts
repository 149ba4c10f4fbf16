import type { Fact } from '#src/kernel/market/fact.ts';
import { type Draft, isValue, render, type ValueSlot } from './draft.ts';
import { invented } from './invent.ts';
import { type Printed, textOf, unitOfLastDigit, valueOf } from './printed.ts';
import type { Chances, Session } from './session.ts';

/** An answer with one wrong number. */
export interface Planted {
  readonly kind: 'times ten' | 'invented';
  readonly text: string;
  /** Where it stands. */
  readonly target: readonly [start: number, end: number];
}

const numberOf = ({ value }: Fact): number => Number(value);

const isNear = (printed: Printed, value: number): boolean =>
  Math.abs(Math.abs(valueOf(printed)) - Math.abs(value)) < unitOfLastDigit(printed) * 1.001;

/** Whether nothing in the conversation says what is now printed. */
const isWrong = (printed: Printed, { facts, ownNumbers }: Session): boolean =>
  ![...ownNumbers, ...facts.map(numberOf)].some((known) => isNear(printed, known));

const timesTen = (
  { parts }: Draft,
  session: Session,
  chances: Chances,
): readonly [text: string, target: readonly [number, number] | undefined] | undefined => {
  const slot = chances.maybePick(parts.filter(isValue));
  const printed = slot?.print(valueOf(slot.printed) * 10);
  if (!slot || !printed || !isWrong(printed, session)) return undefined;
  const instead = new Map<ValueSlot, string>([[slot, `${slot.sign}${textOf(printed)}`]]);
  const { text, spans } = render(parts, instead);
  return [text, spans.get(slot)];
};

const withInvention = (
  { parts }: Draft,
  session: Session,
  chances: Chances,
): readonly [text: string, target: readonly [number, number] | undefined] | undefined => {
  const slot: ValueSlot | undefined = chances.maybePick(parts.filter(isValue));
  const made = slot && invented(slot, session, chances);
  if (!made) return undefined;
  const [sentence, number] = made;
  const { text, spans } = render([...parts, ...sentence]);
  return [text, spans.get(number)];
};

const PLANTS = { 'times ten': timesTen, invented: withInvention } as const;

/** Versions of an answer, each with one wrong number. */
export const plantedIn = (draft: Draft, session: Session, chances: Chances): readonly Planted[] =>
  (Object.keys(PLANTS) as readonly Planted['kind'][]).flatMap((kind): readonly Planted[] => {
    const [text, target] = PLANTS[kind](draft, session, chances) ?? [];
    return text !== undefined && target ? [{ kind, text, target }] : [];
  });
