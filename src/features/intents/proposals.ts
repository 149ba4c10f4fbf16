import type { Choice } from '#src/kernel/chat/message.ts';
import { isChoice } from '#src/kernel/chat/message.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { SentenceTalk } from '#src/kernel/agent/sentence.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Amount } from '#src/reading/amounts.ts';
import { createNameReader } from '#src/reading/names.ts';
import type { Guess } from '#src/words/classifier.ts';
import type { Examples } from '#src/words/examples.ts';
import { slotsIn } from '#src/words/slots.ts';
import { type LabelName, labelsOf } from '#src/words/texts.ts';
import { readCalculation } from './calculations.ts';
import { type Call, call, type Intent } from './intent.ts';
import { isTakeable, type Lookup } from './lookup.ts';
import { ownCommandsFor } from './own-commands.ts';
import { PERSONAL_TOPICS } from './personal.ts';
import { HOURS_NOT_KNOWN, type Said, type Topic, TOPICS } from './topics.ts';
import { TOMORROW } from './read-intent.ts';
import { NOT_DONE, readTrade } from './trade.ts';
import { splitWhen } from './when.ts';
import { readConversion } from './worth.ts';

/** What the examples make of a message that the patterns do not understand. */
export type Proposal =
  | { readonly kind: 'calls'; readonly calls: readonly Call[]; readonly talk?: SentenceTalk }
  | { readonly kind: 'talk'; readonly talk: SentenceTalk; readonly choices: readonly Choice[] }
  | { readonly kind: 'term' }
  /** Sure, but a value is missing. */
  | { readonly kind: 'asks'; readonly talk: SentenceTalk; readonly choices: readonly Choice[] }
  /** Near, but not sure: buttons ask which one is meant. */
  | { readonly kind: 'guess'; readonly choices: readonly Choice[] };

interface Wish {
  /** As written, and as the topics read it. */
  readonly text: string;
  readonly said: Said;
  readonly names: readonly string[];
  readonly amounts: readonly Amount[];
  readonly last: readonly string[];
  readonly lookup: Lookup;
  readonly today: Temporal.PlainDate | undefined;
}

/** What an action needs of a message. */
interface Ability {
  /** Null where a value that it needs was not plainly said. */
  readonly read: (wish: Wish) => Intent | readonly Call[] | null;
  /** It changes what is stored, so every value has to be plain, and the guess surer. */
  readonly changes?: true;
  /** The command of a button that says the same; `label` with what it is about. */
  readonly command?: (wish: Wish) => readonly [label: LabelName, about: string, command: string] | undefined;
}

/**
 * The certainty that an answer needs; a record in the ledger, which is asked about before it is made, needs more. What changes
 * something else is offered as a button, however sure the guess is: a complaint about an alert sounds like a wish for one.
 */
const SURE = { read: 0.7, change: 0.85, record: 0.95 };
/** The likeness to an example that an answer needs, and a guess. */
const LIKE = { sure: 0.38, guess: 0.3 };
/** Below it an action is no guess. */
const NEAR = 0.12;
const MAX_GUESSES = 3;

const topicOf = (tool: string, action?: string): Topic | undefined =>
  [...TOPICS, ...PERSONAL_TOPICS].find((topic) => topic.tool === tool && topic.action === action);

const fromTopic =
  (tool: string, action?: string): Ability['read'] =>
  ({ names: written, said, last }) => {
    const topic = topicOf(tool, action);
    if (!topic) return null;
    const [least, most] = topic.names ?? [0, 0];
    const isAboutLast = written.length === 0 && least > 0 && topic.isAboutLast === true;
    const names = isAboutLast ? last.filter(isTakeable).slice(0, most) : written;
    if (most > 0 && names.length > most) return null;
    if (names.length < least) return names.length === 0 ? { kind: 'which' } : null;
    if (topic.isTimed?.(said) === false) return { kind: 'when' };
    const beside = topic.beside?.(said);
    return { ...call(tool, topic.input(names, said)), ...(beside && { beside }) };
  };

const readPrice: Ability['read'] = (wish) => {
  const { names, said } = wish;
  if (names.length === 0) return { kind: 'which' };
  const isOfDays = said.period !== undefined || said.range !== undefined;
  return isOfDays ? fromTopic('get_history')(wish) : call('get_quote', { symbols: names });
};

/** No source tells why; move and headlines are what there is. */
const readWhy: Ability['read'] = ({ names: [symbol, ...more] }) =>
  symbol === undefined || more.length > 0
    ? [call('get_market_overview', {}), call('get_news', {})]
    : [call('get_quote', { symbols: [symbol] }), call('get_news', { symbol })];

/** The sentence that the patterns know, with the values of this one. They check them as always. */
const readTold =
  (koreanVerb: string): Ability['read'] =>
  ({ text, names, amounts, said, lookup, today }) => {
    const [name, ...others] = names;
    const bare = amounts.filter(({ unit }) => unit === 'none');
    const count = amounts.find(({ unit }) => unit === 'pieces') ?? (bare.length === 2 ? bare[0] : undefined);
    const price = amounts.find(({ unit }) => unit === 'money') ?? bare.at(-1);
    const isPlain = name !== undefined && others.length === 0 && amounts.length === 2 && !NOT_DONE.test(text);
    if (!isPlain || !count || !price || count === price || said.range !== undefined) return null;
    const day = said.period?.first.toString() ?? '';
    const total = price.basis === 'total' ? '어치' : '';
    const paid = `${price.value.toFixed()}${price.currency === undefined ? '' : ` ${price.currency}`}${total}`;
    const told = `${day} ${name} ${count.value.toFixed()}주 ${paid} ${koreanVerb}`.trim();
    return readTrade(told, lookup, today);
  };

const UP = /넘|이상|위로|오르|올라|상승|돌파|\b(?:above|over|exceeds?|rises?|up|gains?|climbs?)\b/iu;
const DOWN =
  /밑|아래|이하|떨어|내려|내리|하락|빠지|깨지|\b(?:below|under|falls?|drops?|down|loses?|dips?)\b/iu;
const DECLINES = /지\s?마|지\s?말|말고|필요\s?없|\b(?:don'?t|do not|never|stop|without)\b/iu;

const directionOf = (text: string): 'up' | 'down' | undefined => {
  const [isUp, isDown] = [UP.test(text), DOWN.test(text)];
  return isUp === isDown ? undefined : isUp ? 'up' : 'down';
};

/** Conditions without a price or a percentage, by their heading. */
const EVENTS: Readonly<
  Record<
    string,
    (wish: Wish, direction: 'up' | 'down' | undefined) => Readonly<Record<string, unknown>> | null
  >
> = {
  news: () => ({ condition: 'news' }),
  year: ({ text }) => {
    const [isHigh, isLow] = [
      /신고|최고|고점|\bhighs?\b/iu.test(text),
      /신저|최저|저점|\blows?\b/iu.test(text),
    ];
    return isHigh === isLow ? null : { condition: isHigh ? 'year_high' : 'year_low' };
  },
  cross: ({ text }) => {
    const [isGolden, isDead] = [/골든|\bgolden\b/iu.test(text), /데드|\b(?:dead|death)\b/iu.test(text)];
    return isGolden === isDead ? null : { condition: isGolden ? 'golden_cross' : 'death_cross' };
  },
  rsi: ({ amounts: [level] }, direction) =>
    level && direction
      ? { condition: direction === 'up' ? 'rsi_above' : 'rsi_below', value: level.value.toFixed() }
      : null,
  volume: ({ amounts: [multiple] }) =>
    multiple?.unit === 'times' ? { condition: 'volume_times', value: multiple.value.toFixed() } : null,
};

const readAlertWish =
  (event?: string): Ability['read'] =>
  (wish) => {
    const { text, names, amounts, last } = wish;
    const [symbol, ...others] = names.length > 0 ? names : last.filter(isTakeable).slice(0, 1);
    const [amount, ...more] = amounts;
    if (others.length > 0 || more.length > 0 || DECLINES.test(text)) return null;
    if (symbol === undefined) return { kind: 'which' };
    const direction = directionOf(text);
    if (event !== undefined) {
      const condition = EVENTS[event]?.(wish, direction);
      return condition ? call('set_alert', { symbol, ...condition }) : { kind: 'alert' };
    }
    if (amount?.unit === 'percent' && !amount.value.isZero()) {
      const isUp = direction === 'up' || (direction === undefined && amount.isSigned && amount.value.gt(0));
      const isDown =
        direction === 'down' || (direction === undefined && amount.isSigned && amount.value.lt(0));
      const condition = isUp ? 'rises_percent' : isDown ? 'falls_percent' : 'moves_percent';
      return call('set_alert', { symbol, condition, value: amount.value.abs().toFixed() });
    }
    if (!amount || (amount.unit !== 'money' && amount.unit !== 'none') || !amount.value.gt(0))
      return { kind: 'alert' };
    const condition = direction === 'up' ? 'above' : direction === 'down' ? 'below' : 'reaches';
    const value = `${amount.value.toFixed()}${amount.currency === undefined ? '' : ` ${amount.currency}`}`;
    return call('set_alert', { symbol, condition, value });
  };

const about =
  (label: LabelName, command: string, least = 1): NonNullable<Ability['command']> =>
  ({ names }) =>
    names.length < least ? undefined : [label, names.join(', '), `${command} ${names.join(', ')}`.trim()];
const plainly =
  (label: LabelName, command: string): NonNullable<Ability['command']> =>
  () => [label, '', command];

/** One ability with two headings: neither has to be surer than the other. */
const PRICE_ALERT: Ability = { read: readAlertWish(), changes: true };
const HOLDINGS: Ability = {
  read: () => call('get_portfolio', {}),
  command: plainly('portfolio', '/portfolio'),
};

/** By heading of the examples. */
const ABILITIES: Readonly<Record<string, Ability>> = {
  get_quote: { read: readPrice, command: about('price', '/price') },
  get_history: { read: fromTopic('get_history'), command: about('chart', '/chart') },
  get_news: { read: fromTopic('get_news'), command: about('news', '/news', 0) },
  why_moved: { read: readWhy, command: about('news', '/news', 0) },
  make_chart: { read: fromTopic('make_chart'), command: about('chart', '/chart') },
  get_indicators: { read: fromTopic('get_indicators') },
  get_fundamentals: { read: fromTopic('get_fundamentals') },
  get_earnings_calendar: {
    read: fromTopic('get_earnings_calendar'),
    command: about('earnings', '/earnings', 0),
  },
  compare: { read: fromTopic('compare'), command: about('compare', '/compare', 2) },
  'get_market_overview markets': {
    read: () => call('get_market_overview', { of: 'markets' }),
    command: plainly('market', '/market'),
  },
  'get_market_overview crypto': {
    read: () => call('get_market_overview', { of: 'crypto' }),
    command: plainly('crypto', '/crypto'),
  },
  movers: {
    read: () => ({ ...call('get_market_overview', { of: 'markets' }), beside: 'movers' as const }),
    command: plainly('market', '/market'),
  },
  get_market_hours: {
    read: (wish) => (HOURS_NOT_KNOWN.test(wish.text) ? null : fromTopic('get_market_hours')(wish)),
    command: plainly('hours', '/hours'),
  },
  convert_currency: { read: ({ text, lookup }) => readConversion(text, lookup.symbols) },
  calculate: { read: ({ text }) => readCalculation(text) },
  search_symbol: { read: fromTopic('search_symbol'), command: about('search', '/search') },
  'get_portfolio summary': HOLDINGS,
  my_day: HOLDINGS,
  'get_portfolio actions': {
    read: () => call('get_portfolio', { view: 'actions' }),
    command: plainly('actions', '/portfolio actions'),
  },
  portfolio_history: {
    read: () => ({ ...call('get_portfolio', {}), beside: 'entries' as const }),
    command: plainly('history', '/portfolio history'),
  },
  analyze_portfolio: {
    read: fromTopic('analyze_portfolio'),
    command: plainly('analysis', '/portfolio analysis'),
  },
  get_tax_report: { read: fromTopic('get_tax_report'), command: plainly('tax', '/portfolio tax') },
  plan_rebalance: {
    read: fromTopic('plan_rebalance'),
    command: plainly('rebalance', '/portfolio rebalance'),
  },
  list_alerts: { read: () => call('list_alerts', {}), command: plainly('alerts', '/alerts') },
  'set_alert price': PRICE_ALERT,
  'set_alert percent': PRICE_ALERT,
  ...Object.fromEntries(
    Object.keys(EVENTS).map((event) => [
      `set_alert ${event}`,
      { read: readAlertWish(event), changes: true as const },
    ]),
  ),
  snooze_alert: { read: () => null, command: plainly('alerts', '/alerts') },
  remove_alert: {
    read: ({ names: [which, ...more] }) =>
      which !== undefined && more.length === 0 ? call('remove_alert', { which }) : null,
    changes: true,
    command: plainly('alerts', '/alerts'),
  },
  'manage_watchlist show': {
    read: () => call('manage_watchlist', { action: 'show' }),
    command: plainly('watch', '/watch'),
  },
  'manage_watchlist add': {
    read: fromTopic('manage_watchlist', 'add'),
    changes: true,
    command: about('watchAdd', '/watch add'),
  },
  'manage_watchlist remove': {
    read: fromTopic('manage_watchlist', 'remove'),
    changes: true,
    command: about('watchRemove', '/watch remove'),
  },
  'set_briefing set': { read: fromTopic('set_briefing', 'set'), changes: true },
  'set_briefing now': {
    read: () => call('set_briefing', { action: 'now' }),
    command: plainly('briefingNow', '/briefing now'),
  },
  'set_briefing list': {
    read: () => call('set_briefing', { action: 'list' }),
    command: plainly('briefings', '/briefing'),
  },
  'set_briefing remove': {
    read: () => call('set_briefing', { action: 'list' }),
    command: plainly('briefings', '/briefing'),
  },
  'record_transaction buy': { read: readTold('샀어'), changes: true },
  'record_transaction sell': { read: readTold('팔았어'), changes: true },
  portfolio_import: { read: () => null, command: plainly('import', '/portfolio import') },
  portfolio_export: { read: () => null, command: plainly('export', '/portfolio export') },
  portfolio_manage: { read: () => null, command: plainly('portfolios', '/portfolio list') },
  undo_transaction: {
    read: () => ({ kind: 'undo-which' }),
    changes: true,
    command: plainly('history', '/portfolio history'),
  },
};

/** Questions about the bot: what is said, and the commands below it. */
const TALKS: Readonly<
  Record<
    string,
    {
      readonly talk: SentenceTalk;
      readonly buttons: readonly (readonly [label: LabelName, command: string])[];
    }
  >
> = {
  'talk.real': { talk: 'real', buttons: [] },
  'talk.free': { talk: 'free', buttons: [['usage', '/usage']] },
  'talk.key': {
    talk: 'key',
    buttons: [
      ['keys', '/keys'],
      ['model', '/model'],
    ],
  },
  'talk.model': {
    talk: 'model',
    buttons: [
      ['model', '/model'],
      ['keys', '/keys'],
    ],
  },
  'talk.cost': { talk: 'cost', buttons: [['usage', '/usage']] },
  'talk.delete': {
    talk: 'delete',
    buttons: [
      ['privacy', '/privacy'],
      ['erase', '/privacy delete'],
    ],
  },
  'talk.privacy': { talk: 'privacy', buttons: [['privacy', '/privacy']] },
  'talk.zone': { talk: 'zone', buttons: [['zone', '/profile timezone']] },
  'talk.language': {
    talk: 'language',
    buttons: [
      ['english', '/profile language en'],
      ['korean', '/profile language ko'],
    ],
  },
  'talk.start': {
    talk: 'start',
    buttons: [
      ['market', '/market'],
      ['portfolio', '/portfolio'],
      ['help', '/help'],
    ],
  },
  'talk.help': { talk: 'help', buttons: [['help', '/help']] },
  'talk.who': { talk: 'who', buttons: [['help', '/help']] },
  'talk.cannot': { talk: 'cannot', buttons: [['help', '/help']] },
  'talk.operator': { talk: 'operator', buttons: [['dashboard', '/dashboard']] },
  'talk.thanks': { talk: 'thanks', buttons: [] },
  'talk.greeting': { talk: 'greeting', buttons: [] },
  'talk.advice': { talk: 'advice', buttons: [] },
};

const choice = (
  [label, about, command]: readonly [LabelName, string, string],
  locale: Locale,
): readonly Choice[] => {
  const found = { label: labelsOf(locale)[label](about).slice(0, 60), command };
  return isChoice(found) ? [found] : [];
};

/** What a button would say; of a change the exact values, and only where the command can say all of them. */
const guessChoice = (action: string, wish: Wish, locale: Locale): readonly Choice[] => {
  const talk = TALKS[action]?.buttons.slice(0, 1) ?? [];
  const ability = ABILITIES[action];
  if (!ability) return talk.flatMap(([label, command]) => choice([label, '', command], locale));
  const told = ability.command?.(wish);
  if (told) return choice(told, locale);
  const read = ability.changes ? ability.read(wish) : null;
  const made = read && 'kind' in read && read.kind === 'call' ? ownCommandsFor([read])[0] : undefined;
  if (!made) return [];
  const shown = made.command.replace(/^\/\S+ /u, '');
  const label: LabelName = action.startsWith('record')
    ? 'record'
    : action.startsWith('set_alert')
      ? 'alert'
      : 'briefing';
  return choice([label, shown, made.command], locale).map((each) => ({
    ...each,
    ...(made.isGuarded && { isDestructive: true }),
  }));
};

export interface ProposalContext {
  readonly symbols: SymbolSearch;
  readonly today: Temporal.PlainDate | undefined;
  readonly last: readonly string[];
  readonly locale: Locale;
}

const PRICED: ReadonlySet<string> = new Set([
  'get_quote',
  'get_history',
  'make_chart',
  'compare',
  'why_moved',
]);

/** They say that a message goes on with the one before, and not what it asks for. */
const GOES_ON: ReadonlySet<string> = new Set(['talk.more', 'talk.correct']);

/** Without the actions that only go on, of which the others get the share. */
const wishesIn = (guesses: readonly Guess[]): readonly Guess[] => {
  const left = guesses.filter(({ action }) => !GOES_ON.has(action));
  const sum = left.reduce((all, { score }) => all + score, 0) || 1;
  return left.map(({ action, score }) => ({ action, score: score / sum }));
};

const RECORDS = 'record_transaction';

const leastFor = (action: string): number => {
  if (action.startsWith(RECORDS)) return SURE.record;
  return ABILITIES[action]?.changes ? SURE.change : SURE.read;
};

const callsOf = (read: ReturnType<Ability['read']>): readonly Call[] => {
  if (!read) return [];
  if (!('kind' in read)) return read;
  return read.kind === 'call' ? [read] : [];
};

/** Null where nothing is near enough. */
export const propose = (
  text: string,
  examples: Examples,
  { symbols, today, last, locale }: ProposalContext,
): Proposal | null => {
  const lookup: Lookup = { symbols, nameIn: createNameReader(symbols) };
  // A word of the examples is rarely a name: `key`, `market`. Where it is one, the message resembles them more with the slot.
  const [asWords, asNames] = [examples.isWord, () => false].map((isWord) => {
    const slotted = slotsIn(text, today, lookup.nameIn, isWord);
    return { ...slotted, ...examples.rank(slotted.text) };
  });
  if (!asWords || !asNames) return null;
  const {
    names: written,
    amounts,
    guesses,
    likeness,
  } = asNames.likeness > asWords.likeness ? asNames : asWords;
  if (likeness < LIKE.guess) return null;
  const goesOn = GOES_ON.has(guesses[0]?.action ?? '');
  const wishes = wishesIn(guesses);
  const [first] = wishes;
  if (!first) return null;
  const said: Said = { ...splitWhen(text, today), whole: text, today };
  // No price is known of days to come.
  const isAhead =
    TOMORROW.test(text) ||
    (today !== undefined &&
      said.period !== undefined &&
      Temporal.PlainDate.compare(said.period.first, today) > 0);
  if (isAhead && PRICED.has(first.action)) return null;
  const names = goesOn && written.length === 0 ? last.filter(isTakeable) : written;
  const wish: Wish = { text, said, names, amounts, last, lookup, today };
  const ability = ABILITIES[first.action];
  const certainty = wishes
    .filter(({ action }) => action === first.action || (ability && ABILITIES[action] === ability))
    .reduce((sum, { score }) => sum + score, 0);
  const isSure = likeness >= LIKE.sure && certainty >= leastFor(first.action);
  if (isSure && first.action === 'talk.glossary') return { kind: 'term' };
  const talk = TALKS[first.action];
  if (isSure && talk)
    return {
      kind: 'talk',
      talk: talk.talk,
      choices: talk.buttons.flatMap(([label, command]) => choice([label, '', command], locale)),
    };
  if (isSure && ability) {
    const read = ability.read(wish);
    const calls = callsOf(read);
    if (calls.length > 0 && (!ability.changes || first.action.startsWith(RECORDS)))
      return { kind: 'calls', calls, ...(first.action === 'why_moved' && { talk: 'why' as const }) };
    if (read && 'kind' in read && read.kind !== 'call')
      return { kind: 'asks', talk: read.kind, choices: guessChoice(first.action, wish, locale) };
  }
  const choices = wishes
    .filter(({ score }) => score >= NEAR)
    .slice(0, MAX_GUESSES)
    .flatMap(({ action }) => guessChoice(action, wish, locale));
  const distinct = choices.filter(
    ({ command }, index) => choices.findIndex((each) => each.command === command) === index,
  );
  return distinct.length > 0 ? { kind: 'guess', choices: distinct } : null;
};
