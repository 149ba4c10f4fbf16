import type { Fact } from '#src/kernel/tool.ts';
import {
  type DateSlot,
  type Draft,
  isValue,
  type Part,
  render,
  type Slot,
  textOfPart,
  type ValueSlot,
} from './draft.ts';
import { invented } from './invent.ts';
import {
  isDigits,
  isScaleWord,
  type Piece,
  type Printed,
  textOf,
  unitOfLastDigit,
  valueOf,
} from './printed.ts';
import type { Chances, Session } from './session.ts';

const PLANTED_KINDS = [
  'adjacent digits swapped',
  'one digit changed',
  'times ten',
  'a tenth',
  'other scale',
  'other sign or direction',
  'other company',
  'other metric',
  'other day or period',
  'other currency',
  'wrong date',
  'invented',
  'wrong result',
] as const;

type PlantedKind = (typeof PLANTED_KINDS)[number];

/** An answer with one wrong number. */
export interface Planted {
  readonly kind: PlantedKind;
  readonly text: string;
  /** A miss in one of these spans is the one that was planted. */
  readonly targets: readonly (readonly [start: number, end: number])[];
  /** What stood there before. */
  readonly before: string;
}

interface Change {
  readonly parts: readonly Part[];
  readonly instead: ReadonlyMap<Slot, string>;
  readonly targets: readonly Slot[];
  readonly before: string;
}

type Plant = (draft: Draft, session: Session, chances: Chances) => Change | undefined;

/** Facts that mean the same in a sentence. */
const ALIKE: readonly ReadonlySet<string>[] = [
  new Set(['price', 'close', 'afterHoursPrice', 'preMarketPrice', 'priceElsewhere', 'exchangeRate']),
  new Set(['yearHigh', 'periodHigh']),
  new Set(['yearLow', 'periodLow']),
  new Set(['marketValue', 'marketValueBase', 'totalValue', 'holdingsValue']),
  new Set(['averageVolume', 'volume']),
  new Set(['sma', 'bollingerMiddle']),
];

const meansTheSame = (one: string, other: string): boolean =>
  one === other || ALIKE.some((some) => some.has(one) && some.has(other));

const isOfSameTime = (one: Fact, other: Fact): boolean =>
  one.day === other.day && one.period === other.period && one.parameter === other.parameter;

const numberOf = ({ value }: Fact): number => Number(value);

const isNear = (printed: Printed, value: number): boolean =>
  Math.abs(Math.abs(valueOf(printed)) - Math.abs(value)) < unitOfLastDigit(printed) * 1.001;

/** Whether no fact about the same says what is now printed. */
const isWrong = (
  printed: Printed,
  { fact, saysWhen, isDerived }: ValueSlot,
  { facts, ownNumbers }: Session,
): boolean => {
  if (isNear(printed, numberOf(fact)) || ownNumbers.some((own) => isNear(printed, own))) return false;
  if (isDerived) return true;
  return !facts.some(
    (other) =>
      other.entity === fact.entity &&
      meansTheSame(other.metric, fact.metric) &&
      (!saysWhen || isOfSameTime(other, fact)) &&
      isNear(printed, numberOf(other)),
  );
};

/** Whether the person said this number, which an answer may repeat in any way. */
const isOwn = ({ printed }: ValueSlot, { ownNumbers }: Session): boolean =>
  ownNumbers.some((own) => isNear(printed, own));

const withPrinted = (draft: Draft, slot: ValueSlot, printed: Printed, sign = slot.sign): Change => ({
  parts: draft.parts,
  instead: new Map([[slot, `${sign}${textOf(printed)}`]]),
  targets: [slot],
  before: textOfPart(slot),
});

const oneValue = ({ parts }: Draft, chances: Chances, fits: (slot: ValueSlot) => boolean = () => true) =>
  chances.maybePick(parts.filter(isValue).filter(fits));

/** Changes the digits of one piece of a number. */
const digitsChanged =
  (change: (digits: string, chances: Chances) => string | undefined): Plant =>
  (draft, session, chances) => {
    const slot = oneValue(draft, chances);
    const piece = chances.maybePick(slot?.printed.pieces.filter(isDigits) ?? []);
    const digits = piece && change(piece.digits, chances);
    if (!slot || !piece || digits === undefined || /^0\d|^0$|^0\.0+$/u.test(digits)) return undefined;
    const pieces = slot.printed.pieces.map((each): Piece => (each === piece ? { ...piece, digits } : each));
    const printed = { ...slot.printed, pieces };
    return isWrong(printed, slot, session) ? withPrinted(draft, slot, printed) : undefined;
  };

const swapped = digitsChanged((digits, chances) => {
  const places = Array.from(digits).flatMap((digit, at) => {
    const next = digits.charAt(at + 1);
    return /\d/u.test(digit) && /\d/u.test(next) && digit !== next ? [at] : [];
  });
  const at = chances.maybePick(places);
  return at === undefined
    ? undefined
    : `${digits.slice(0, at)}${digits.charAt(at + 1)}${digits.charAt(at)}${digits.slice(at + 2)}`;
});

const oneChanged = digitsChanged((digits, chances) => {
  const at = chances.below(digits.length);
  const digit = digits.charAt(at);
  if (!/\d/u.test(digit)) return undefined;
  const other = String((Number(digit) + 1 + chances.below(9)) % 10);
  return `${digits.slice(0, at)}${other}${digits.slice(at + 1)}`;
});

/** Prints another value in the same form. */
const valueChanged =
  (change: (value: number, chances: Chances) => number): Plant =>
  (draft, session, chances) => {
    const slot = oneValue(draft, chances);
    const printed = slot?.print(change(valueOf(slot.printed), chances));
    return slot && printed && isWrong(printed, slot, session) ? withPrinted(draft, slot, printed) : undefined;
  };

const SCALES: readonly (readonly string[])[] = [
  ['만', '억', '조'],
  [' million', ' billion', ' trillion'],
  ['M', 'B', 'T'],
];

/** 만 becomes 억, million billion; a number without such a word becomes a thousand times as large. */
const otherScale: Plant = (draft, session, chances) => {
  const slot = oneValue(draft, chances);
  if (!slot) return undefined;
  const words = slot.printed.pieces.filter(isScaleWord);
  const [piece] = words;
  if (!piece) {
    const printed = slot.print(valueOf(slot.printed) * 1_000);
    return printed && isWrong(printed, slot, session) ? withPrinted(draft, slot, printed) : undefined;
  }
  const row = SCALES.find((each) => each.includes(piece.word)) ?? [];
  const word = chances.maybePick(row.filter((each) => !words.some((used) => used.word === each)));
  if (word === undefined || words.length > 1) return undefined;
  const pieces = slot.printed.pieces.map((each): Piece => (each === piece ? { word } : each));
  return withPrinted(draft, slot, { ...slot.printed, pieces });
};

const SIGNS: Readonly<Record<string, string>> = { '+': '-', '-': '+', '−': '+' };
/** A fall is often printed without its sign. */
const ANY_SIGN: ReadonlySet<string> = new Set(['maxDrawdown']);

const hasSign = (part: Part): part is Slot =>
  typeof part !== 'string' &&
  (part.kind === 'direction' ||
    (part.kind === 'value' && part.sign !== '' && !ANY_SIGN.has(part.fact.metric)));

const otherSign: Plant = (draft, session, chances) => {
  const slot = chances.maybePick(draft.parts.filter(hasSign));
  if (!slot || slot.kind === 'date' || isOwn(slot.kind === 'value' ? slot : slot.of, session))
    return undefined;
  if (slot.kind === 'value') return withPrinted(draft, slot, slot.printed, SIGNS[slot.sign] ?? '');
  return {
    parts: draft.parts,
    instead: new Map([[slot, slot.opposite]]),
    targets: [slot, slot.of],
    before: slot.text,
  };
};

/** Prints the value of another fact in the same form. */
const borrowed =
  (
    isDonor: (fact: Fact, slot: ValueSlot) => boolean,
    fits: (slot: ValueSlot) => boolean = () => true,
  ): Plant =>
  (draft, session, chances) => {
    const slot = oneValue(draft, chances, (each) => !each.isDerived && fits(each));
    if (!slot) return undefined;
    const isUp = numberOf(slot.fact) >= 0;
    const donors = session.facts.filter(
      (fact) =>
        fact.unit === slot.fact.unit &&
        isDonor(fact, slot) &&
        Number.isFinite(numberOf(fact)) &&
        numberOf(fact) >= 0 === isUp,
    );
    const donor = chances.maybePick(donors);
    const printed = donor && slot.print(numberOf(donor));
    return printed && isWrong(printed, slot, session) ? withPrinted(draft, slot, printed) : undefined;
  };

const otherCompany = borrowed(
  (fact, { fact: own }) =>
    fact.metric === own.metric && fact.entity !== own.entity && isOfSameTime(fact, own),
);

const otherMetric = borrowed(
  (fact, { fact: own }) =>
    fact.entity === own.entity &&
    (!meansTheSame(fact.metric, own.metric) ||
      (fact.metric === own.metric && fact.parameter !== own.parameter)),
  ({ fact }) => !fact.entity.includes('/'),
);

const otherTime = borrowed(
  (fact, { fact: own }) =>
    fact.entity === own.entity &&
    meansTheSame(fact.metric, own.metric) &&
    fact.parameter === own.parameter &&
    (fact.day !== own.day || fact.period !== own.period),
  ({ saysWhen }) => saysWhen,
);

const CURRENCY_MARKS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[\d만억조] ?)원$/u, '달러'],
  [/(?<=[\d만억조] ?)달러$/u, '원'],
  [/ won$/u, ' dollars'],
  [/US\$|\$/u, '₩'],
  [/₩/u, '$'],
  [/KRW/u, 'USD'],
  [/USD/u, 'KRW'],
];

const otherCurrency: Plant = (draft, session, chances) => {
  const slot = oneValue(draft, chances, ({ fact }) => fact.unit === 'KRW' || fact.unit === 'USD');
  const before = slot ? textOfPart(slot) : '';
  const [mark, instead] = CURRENCY_MARKS.find(([pattern]) => pattern.test(before)) ?? [];
  if (!slot || !mark || instead === undefined || isOwn(slot, session)) return undefined;
  return {
    parts: draft.parts,
    instead: new Map([[slot, before.replace(mark, instead)]]),
    targets: [slot],
    before,
  };
};

const isDate = (part: Part): part is DateSlot => typeof part !== 'string' && part.kind === 'date';

const wrongDate: Plant = (draft, session, chances) => {
  const slot = chances.maybePick(draft.parts.filter(isDate));
  if (!slot) return undefined;
  const known = session.facts.flatMap(({ day = '' }) =>
    day.length === 10 ? [Temporal.PlainDate.from(day)] : [],
  );
  const near = [-9, -8, -7, -3, -2, -1, 1, 2, 5, 6].map((days) => slot.day.add({ days }));
  const day = chances.pick(chances.happens(0.5) && known.length > 0 ? known : near);
  const { today } = session.evidence;
  const isPossible =
    day.dayOfWeek <= 5 && Temporal.PlainDate.compare(day, today) < 0 && !day.equals(slot.day);
  const isOtherYear = day.year !== today.year && !slot.write(day).includes(String(day.year));
  const iso = day.toString();
  const isTrue = slot.of.some(({ fact, printed }) =>
    session.facts.some(
      (other) =>
        other.entity === fact.entity &&
        (other.day ?? other.asOf).startsWith(iso) &&
        isNear(printed, numberOf(other)),
    ),
  );
  if (!isPossible || isOtherYear || isTrue) return undefined;
  return {
    parts: draft.parts,
    instead: new Map([[slot, slot.write(day)]]),
    targets: [slot, ...slot.of],
    before: textOfPart(slot),
  };
};

const wrongResult: Plant = (draft, session, chances) => {
  const slot = oneValue(draft, chances, ({ isDerived }) => isDerived);
  const factor = chances.pick([0.6, 0.75, 0.9, 0.95, 1.04, 1.1, 1.3, 1.7]);
  const printed = slot?.print(valueOf(slot.printed) * factor);
  return slot && printed && isWrong(printed, slot, session) ? withPrinted(draft, slot, printed) : undefined;
};

const inventedNumber: Plant = (draft, session, chances) => {
  const slot = oneValue(draft, chances);
  const made = slot && invented(slot, session, chances);
  if (!made) return undefined;
  const [sentence, number] = made;
  return { parts: [...draft.parts, ...sentence], instead: new Map(), targets: [number], before: '' };
};

const PLANTS: Readonly<Record<PlantedKind, Plant>> = {
  'adjacent digits swapped': swapped,
  'one digit changed': oneChanged,
  'times ten': valueChanged((value) => value * 10),
  'a tenth': valueChanged((value) => value / 10),
  'other scale': otherScale,
  'other sign or direction': otherSign,
  'other company': otherCompany,
  'other metric': otherMetric,
  'other day or period': otherTime,
  'other currency': otherCurrency,
  'wrong date': wrongDate,
  invented: inventedNumber,
  'wrong result': wrongResult,
};

/** Few answers have room for these, so they come first. */
const RARE: readonly PlantedKind[] = [
  'wrong date',
  'wrong result',
  'other sign or direction',
  'other day or period',
  'invented',
];

/** Several versions of an answer, each with one wrong number. */
export const plantedIn = (
  draft: Draft,
  session: Session,
  chances: Chances,
  most: number,
): readonly Planted[] =>
  [...new Set([...RARE, ...chances.shuffled(PLANTED_KINDS)])]
    .flatMap((kind): readonly Planted[] => {
      const change = PLANTS[kind](draft, session, chances);
      if (!change) return [];
      const { text, spans } = render(change.parts, change.instead);
      const targets = change.targets.flatMap((slot) => {
        const span = spans.get(slot);
        return span ? [span] : [];
      });
      return [{ kind, text, targets, before: change.before }];
    })
    .slice(0, most);
