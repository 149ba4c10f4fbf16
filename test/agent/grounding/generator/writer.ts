import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { hasFinalConsonant } from '#src/reading/particles.ts';
import { type Part, say, textOfPart, type ValueSlot } from './draft.ts';
import { type Form, formsOf } from './forms.ts';
import { valueOf } from './printed.ts';
import type { Chances, Session } from './session.ts';
import { DAY_FORMS, DIRECTIONS_AFTER, DIRECTIONS_BEFORE, METRIC_WORDS } from './words.ts';

const COMPANY_FORM = /,? (?:Inc\.|Co\., Ltd\.|Corporation|Company|Ltd\.|Platforms Inc\.)$/u;

/** `삼성전자는`, `애플은`; a code in brackets is not spoken. */
export const topic = (word: string, after: readonly [consonant: string, vowel: string]): string => {
  const spoken = word.replace(/\([^)]*\)$/u, '').at(-1) ?? '';
  const isConsonant = /[가-힣]/u.test(spoken) ? hasFinalConsonant(spoken) : /[lmnrLMNR136780]/u.test(spoken);
  return `${word}${after[isConsonant ? 0 : 1]}`;
};

/** The same behind a number: `102,300원으로`, `304.12달러로`. */
export const behind = (
  slot: ValueSlot,
  after: readonly [consonant: string, vowel: string],
): readonly Part[] => {
  const text = textOfPart(slot);
  return [slot, topic(text, after).slice(text.length)];
};

const PAIR_NAMES: Readonly<Record<string, Readonly<Record<Locale, readonly string[]>>>> = {
  'USDKRW=X': { ko: ['원/달러 환율', '달러/원 환율', 'USD/KRW', '달러 환율'], en: ['USD/KRW', 'USD/KRW'] },
  'EURUSD=X': { ko: ['유로/달러 환율', 'EUR/USD'], en: ['EUR/USD'] },
};

interface ValueOptions {
  readonly sign?: string;
  /** Instead of one of the forms of its unit. */
  readonly form?: Form;
  /** The printed value must be this close, in parts of the value: so that derived numbers still fit. */
  readonly within?: number;
}

const isShare = ({ assetClass }: Instrument): boolean => assetClass === 'equity';

/** Writes about the facts of one conversation, in one language. */
export class Writer {
  readonly locale: Locale;
  readonly chances: Chances;
  readonly session: Session;

  constructor(locale: Locale, chances: Chances, session: Session) {
    this.locale = locale;
    this.chances = chances;
    this.session = session;
  }

  get isKorean(): boolean {
    return this.locale === 'ko';
  }

  readonly factsOf = (entity: string, ...metrics: readonly string[]): readonly Fact[] =>
    (this.session.byEntity.get(entity) ?? []).filter(({ metric }) => metrics.includes(metric));

  /** The newest of several: that of now, not of another day, and of changes that of a day. */
  readonly factOf = (entity: string, metric: string): Fact | undefined =>
    this.factsOf(entity, metric).findLast(
      ({ day, period = '1d' }) =>
        day === undefined && (period === '1d' || (metric !== 'change' && metric !== 'changePercent')),
    );

  readonly instrument = (of: (instrument: Instrument) => boolean = () => true): Instrument | undefined =>
    // A rate of a hundred yen has several names, none of them short.
    this.chances.maybePick(
      this.session.instruments.filter(
        (each) => of(each) && (each.assetClass !== 'fx' || PAIR_NAMES[each.symbol] !== undefined),
      ),
    );

  readonly share = (): Instrument | undefined => this.instrument(isShare);

  /** Several shares, each once. */
  readonly shares = (count: number): readonly Instrument[] =>
    this.chances.shuffled(this.session.instruments.filter(isShare)).slice(0, count);

  readonly name = ({ symbol, name, ticker, assetClass, currency }: Instrument): string => {
    const { chances, locale } = this;
    const pair = PAIR_NAMES[symbol];
    if (pair) return chances.pick(pair[locale]);
    const english = name.en.replace(COMPANY_FORM, '').replace(/ Composite$/u, '');
    const own = locale === 'ko' ? name.ko : english;
    if (assetClass === 'index') return own;
    const isForeign = currency !== 'KRW';
    return chances.pick([
      own,
      own,
      locale === 'ko' ? `${own}(${ticker})` : `${own} (${ticker})`,
      ...(isForeign ? [ticker] : []),
      ...(locale === 'en' ? [name.en] : isForeign ? [english] : []),
    ]);
  };

  readonly word = (metric: string): string =>
    this.chances.pick(METRIC_WORDS[metric]?.[this.locale] ?? [metric]);

  readonly unitOf = ({ unit, entity, metric }: Fact): string => {
    const of = this.session.instruments.find(({ symbol }) => symbol === entity);
    if (unit === 'USD' && of?.assetClass === 'fx') return 'rate';
    if (unit !== 'units' && unit !== 'shares') return metric === 'beta' ? 'ratio' : unit;
    return of && isShare(of) ? 'shares' : 'number';
  };

  /** A fact as a number of the answer; undefined if no form suits it. */
  readonly value = (fact: Fact | undefined, options: ValueOptions = {}): ValueSlot | undefined => {
    const value = Number(fact?.value);
    if (!fact || !Number.isFinite(value)) return undefined;
    const { within = Number.POSITIVE_INFINITY } = options;
    const fits = (form: Form): boolean => {
      const printed = form(value);
      // Nobody writes `+약 300원`.
      if (printed?.isApproximate && (options.sign ?? '') !== '') return false;
      return printed !== undefined && Math.abs(valueOf(printed) - value) <= within * Math.abs(value);
    };
    const forms = (options.form ? [options.form] : formsOf(this.unitOf(fact), this.locale, value)).filter(
      fits,
    );
    const print = this.chances.maybePick(forms);
    const printed = print?.(value);
    if (!print || !printed) return undefined;
    const minus = value < 0 ? '-' : '';
    return {
      kind: 'value',
      fact,
      print,
      printed,
      sign: options.sign ?? minus,
    };
  };

  /** A change with its sign: `+0.29%`. */
  readonly signed = (fact: Fact | undefined, options: ValueOptions = {}): ValueSlot | undefined => {
    const value = Number(fact?.value);
    if (!fact || value === 0) return undefined;
    const sign = value > 0 ? '+' : this.chances.pick(['-', '−']);
    return this.value(fact, { ...options, sign });
  };

  /** A change with a word for its direction: `0.29% 상승했습니다`, `rose 0.29%`. */
  readonly directed = (fact: Fact | undefined, options: ValueOptions = {}): readonly Part[] | undefined => {
    const { chances, locale } = this;
    const isUp = Number(fact?.value) > 0;
    const slot = Number(fact?.value) === 0 ? undefined : this.value(fact, { ...options, sign: '' });
    if (!slot) return undefined;
    const isBehind = this.isKorean || chances.happens(0.2);
    const [up, down] = chances.pick(isBehind ? DIRECTIONS_AFTER[locale] : DIRECTIONS_BEFORE);
    const direction = isUp ? up : down;
    return isBehind ? [slot, direction] : [direction, slot];
  };

  readonly day = (day: string): string => {
    const forms = DAY_FORMS[this.locale];
    const date = Temporal.PlainDate.from(day);
    // Without its year, a day of another year would be taken for one of this year.
    const isOld = date.year !== this.session.evidence.today.year;
    const write = this.chances.pick(forms.filter((form) => !isOld || form(date).includes(String(date.year))));
    return write(date);
  };

  /** `삼성전자의 현재가는 102,300원입니다.` */
  readonly statement = (name: string, word: string, slot: ValueSlot): readonly Part[] => {
    const { chances } = this;
    if (this.isKorean)
      return chances.pick([
        say`${name}의 ${topic(word, ['은', '는'])} ${slot}입니다.`,
        say`${topic(name, ['은', '는'])} ${topic(word, ['이', '가'])} ${slot}입니다.`,
        say`${name} ${word}: ${slot}`,
        say`현재 ${name}의 ${topic(word, ['은', '는'])} ${slot} 수준이에요.`,
        say`${name}의 ${topic(word, ['은', '는'])} **${slot}**입니다.`,
      ]);
    return chances.pick([
      say`${name}'s ${word} is ${slot}.`,
      say`The ${word} of ${name} is ${slot}.`,
      say`${name}: ${word} ${slot}`,
      say`The ${word} for ${name} stands at **${slot}**.`,
      say`As for ${name}, the ${word} is currently ${slot}.`,
    ]);
  };
}

/** `rose 1%`, `is up 1%`, `shows a gain of 1%`. */
export const predicate = (directed: readonly Part[]): readonly Part[] => {
  const [first] = directed;
  if (typeof first !== 'string') return ['is ', ...directed];
  if (first.startsWith('a ')) return ['shows ', ...directed];
  return /^(?:up|down) /u.test(first) ? ['is ', ...directed] : directed;
};

/** Writes one statement; undefined if the conversation lacks its facts. */
export type Claim = (writer: Writer) => readonly Part[] | undefined;
