import { REST } from '#src/kernel/chat/command.ts';
import type {
  AlertCondition,
  AlertRecord,
  AlertPlace,
  AlertService,
  SetAlertRequest,
} from '#src/kernel/people/alerts.ts';
import { codeFor, type Instrument, type Quote, type SymbolSearch } from '#src/kernel/market/finance.ts';
import { alertTexts } from './texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { emptyAnswer, type MarketAnswer } from '#src/kernel/chat/answer.ts';
import {
  type Choice,
  MAX_PRESSED_CHARS,
  type ReplyTarget,
  isSamePlace,
  placeOf,
  sharedChatOf,
} from '#src/kernel/chat/message.ts';
import { endsAtMidnight, writeDayMoment, writeSoon, isSureZone } from '#src/kernel/time.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import type { AlertStore, ChatAlertLimits, NewAlert } from './store-types.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { echo, missedAnswer, unavailableText } from '#src/markets/answers/resolve-names.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { writeMemory } from './watching/alert-memory.ts';
import {
  isFarOff,
  nearestPair,
  pairsOf,
  resolveAlertName,
  settleCondition,
} from './conditions/resolve-condition.ts';
import { firstRange } from './watching/day-range.ts';
import {
  alertFacts,
  alertSubject,
  alertTitle,
  deleteLabel,
  describeCondition,
  describeTerms,
} from './conditions/describe-condition.ts';
import { countsExtendedHours, holdsAtOnce, isSoNow } from './watching/evaluate-condition.ts';
import { marketSnapshot, type Observed } from './watching/market-snapshot.ts';
import { readAlert, type ReadAlert } from './conditions/read-condition.ts';
import { flagsOf, readSpanMinutes, readUntil } from './conditions/read-options.ts';
import { isEvaluatedNow, opensAt } from './watching/evaluation-hours.ts';
import type { FeatureUses } from '#src/features/services.ts';

export interface AlertServiceDeps extends FeatureUses<
  'clock' | 'symbols.resolve' | 'market.getQuotes' | 'market.getHistory' | 'market.getNews' | 'owners.ownerOf'
> {
  readonly store: Pick<AlertStore, 'add' | 'move' | 'listOf' | 'remove' | 'snooze'>;
  /** The requester's private chat; undefined if the channel has none. */
  readonly directTarget: (requester: Requester) => Promise<ReplyTarget | undefined>;
  /** Called when an alert was set or is active again. */
  readonly changed: () => void;
  /** The limit of active alerts of one person. */
  readonly maxAlerts: number;
  /** Limits in channels. */
  readonly inChannels: ChatAlertLimits & { readonly repeatMinutes: number };
}

const MAX_TEXT = 300;
const DEFAULT_COOLDOWN_MINUTES = 60;
const MAX_COOLDOWN_MINUTES = 30 * 24 * 60;
const MAX_EXPIRY = { hours: 2 * 366 * 24 } as const;

const COMPARISON = /((?<=\s)[<>]=?(?=\s|$)|[<>]=?(?=[\d.]))/u;
const MAX_ECHOED = 60;

/** Repeats the typed text without markup. `>` and `<` of a condition are kept. */
const echoed = (typed: string): string =>
  typed
    .slice(0, MAX_ECHOED)
    .split(COMPARISON)
    .map((piece, index) => (index % 2 === 1 ? piece : echo(piece)))
    .filter((piece) => piece !== '')
    .join(' ');

type Read = Extract<ReadAlert, { readonly status: 'read' }>;

/** A button that sets the same alert on this instrument. None if the command would be too long for a button. */
const commandFor =
  ({ behindName }: Read, request: SetAlertRequest) =>
  (code: string): string =>
    `/alert ${code} ${behindName}${flagsOf(request)}`;

interface Terms {
  readonly isRepeating: boolean;
  readonly cooldownMinutes: number;
  readonly usesExtendedHours: boolean;
  readonly expiresAt?: Timestamp;
}

/** The terms of the request and of the typed options; a sentence where they make no sense. */
const termsOf = (
  request: SetAlertRequest,
  { options }: Read,
  requester: Requester,
  now: Timestamp,
): Terms | string => {
  const { problems } = alertTexts(requester.locale);
  const typed = options.cooldown === undefined ? undefined : readSpanMinutes(options.cooldown);
  const cooldown = request.cooldownMinutes ?? typed;
  const cooldownMinutes = cooldown ?? DEFAULT_COOLDOWN_MINUTES;
  if (!(cooldownMinutes >= 1 && cooldownMinutes <= MAX_COOLDOWN_MINUTES)) return problems.cooldown();
  const expires = request.expires ?? options.expires;
  const expiresAt = expires === undefined ? undefined : readUntil(expires, now, requester.timeZone);
  const isTooLate = expiresAt && Temporal.Instant.compare(expiresAt, now.add(MAX_EXPIRY)) > 0;
  if (expires !== undefined && (!expiresAt || isTooLate)) return problems.expiry();
  return {
    isRepeating: request.isRepeating ?? options.isRepeating ?? request.cooldownMinutes !== undefined,
    cooldownMinutes: Math.round(cooldownMinutes),
    usesExtendedHours: request.usesExtendedHours ?? options.usesExtendedHours ?? false,
    ...(expiresAt && { expiresAt }),
  };
};

/** The chat that the alert is sent to. Undefined if it has to be a private one and none can be opened. */
const targetOf = async (
  place: AlertPlace | undefined,
  requester: Requester,
  directTarget: AlertServiceDeps['directTarget'],
): Promise<ReplyTarget | undefined> => {
  const here = placeOf(requester.target);
  if (place === 'here' || requester.isDirect) return here;
  const direct = await directTarget(requester);
  if (!direct) return place === undefined ? here : undefined;
  const { chatId, threadId } = here;
  return { ...placeOf(direct), askedIn: { chatId, ...(threadId && { threadId }) } };
};

type Telling = Parameters<ReturnType<typeof alertTexts>['tells']>[0];

const whereOf = ({ target }: AlertRecord, requester: Requester): string => {
  const { where } = alertTexts(requester.locale);
  if (isSamePlace(target, requester.target)) return requester.isDirect ? where.here : where.channel;
  return target.isDirect && target.channelId === requester.channelId ? where.direct : where.elsewhere;
};

/** What follows from a condition that is met already. */
const soNowOf = (alert: AlertRecord, { seen, quote }: Observed, now: Timestamp): Telling['soNow'] => {
  if (!seen || isSoNow(alert, seen) !== true) return undefined;
  // A source may give the price after the close as the regular one.
  if (quote?.isAfterClose && !countsExtendedHours(alert)) return 'notCounted';
  if (!holdsAtOnce(alert.condition)) return 'waits';
  return isEvaluatedNow(alert, now) ? 'fires' : 'firesLater';
};

/** Where and from when on the person is told. */
const tellingOf = (alert: AlertRecord, observed: Observed, requester: Requester, now: Timestamp): Telling => {
  const { locale, timeZone } = requester;
  const next = opensAt(alert, now);
  return {
    where: whereOf(alert, requester),
    from: next && writeSoon(next, timeZone, locale, now),
    soNow: soNowOf(alert, observed, now),
  };
};

/** The answer about the new alert, or about the same alert that was there already. */
const confirmation = (
  alert: AlertRecord,
  isNew: boolean,
  observed: Observed,
  requester: Requester,
  now: Timestamp,
  elsewhere: Choice | undefined,
): MarketAnswer => {
  const { locale } = requester;
  const t = alertTexts(locale);
  const { quote } = observed;
  const value = observed.value === undefined ? '' : `, ${observed.value}`;
  const what = `**${alertSubject(alert, locale)}** ${describeCondition(alert, locale)}${value} (${describeTerms(alert, requester, now)})`;
  const text = isNew ? t.set({ what }) : t.already({ what });
  const others = elsewhere ? [elsewhere] : [];
  const deletes = { command: `/alert delete ${alert.id}`, effect: 'ends', isDestructive: true } as const;
  return {
    content: [
      text,
      t.tells(tellingOf(alert, observed, requester, now)),
      ...(quote || alert.condition.kind === 'news' ? [] : [t.noPrice]),
    ].join('\n'),
    facts: [...alertFacts(alert, quote?.isSample), ...(quote ? quoteFacts(quote) : []), ...observed.facts],
    found: 1,
    choices: [...others, { ...deletes, label: t.delete }],
    // Receipts of several alerts stand together, so the label says which one is deleted.
    receipt: { effect: 'set', text, choices: [...others, { ...deletes, label: deleteLabel(alert, locale) }] },
    dependsOnZone: alert.zoneGuess !== undefined && endsAtMidnight(alert.expiresAt, alert.timeZone),
  };
};

/** Drops buttons whose command is too long, and shows the command as text instead. */
const withShortChoices = (answer: MarketAnswer): MarketAnswer => {
  const { choices = [], typed, ...rest } = answer;
  const pressable = choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
  if (pressable.length > 0) return { ...rest, choices: pressable, ...(typed !== undefined && { typed }) };
  return typed === undefined ? rest : { ...rest, content: `${rest.content}\n\n${typed}` };
};

/** Asks for confirmation of a target far from the price. Nothing is set before. */
const askIfMeant = (
  subject: Pick<AlertRecord, 'condition' | 'instrument'>,
  { quote }: Observed,
  read: Read,
  request: SetAlertRequest,
  requester: Requester,
  { symbols, clock }: AlertServiceDeps,
): MarketAnswer => {
  const t = alertTexts(requester.locale);
  const shown = shownTo(subject.instrument, requester.locale);
  const command = commandFor(read, { ...request, isSure: true })(codeFor(subject.instrument, symbols));
  return {
    content: t.farOff({
      what: alertTitle(subject, requester.locale),
      price: quote && formatPrice(shown.price(quote.price), shown.instrument, requester.locale),
    }),
    facts: [...alertFacts(subject, quote?.isSample, clock.now()), ...(quote ? quoteFacts(quote) : [])],
    found: 0,
    ...(read.behindName !== '' && {
      choices: [{ label: t.setAnyway, command, answers: 'yes' as const }],
      typed: commandTexts(requester.locale).goOn({ command }),
    }),
  };
};

/** A crossing without a direction waits for the opposite of the current state. */
const turned = (condition: AlertCondition, terms: Terms, instrument: Instrument, { seen }: Observed) =>
  condition.kind === 'ma-cross' && seen && isSoNow({ ...terms, instrument, condition }, seen)
    ? ({ ...condition, direction: 'down' } as const)
    : condition;

const endDay = ({ expiresAt, timeZone }: Pick<NewAlert, 'expiresAt' | 'timeZone'>): string =>
  expiresAt?.toZonedDateTimeISO(timeZone).toPlainDate().toString() ?? '';

/** Whether two alerts differ at most in where they are sent. */
const isSame = (a: NewAlert, b: NewAlert): boolean =>
  a.instrument.symbol === b.instrument.symbol &&
  describeCondition(a, 'en') === describeCondition(b, 'en') &&
  a.isRepeating === b.isRepeating &&
  (!a.isRepeating || a.cooldownMinutes === b.cooldownMinutes) &&
  a.usesExtendedHours === b.usesExtendedHours &&
  endDay(a) === endDay(b);

/** A button that moves the alert between channel and direct chat. Undefined in direct chats, and for a command too long for it. */
const otherPlace = (
  { target, instrument }: AlertRecord,
  read: Read,
  request: SetAlertRequest,
  requester: Requester,
  { symbols }: AlertServiceDeps,
): Choice | undefined => {
  if (requester.isDirect || read.behindName === '') return undefined;
  const t = alertTexts(requester.locale);
  const isHere = isSamePlace(target, requester.target);
  const place = isHere ? 'direct' : 'here';
  const command = commandFor(read, { ...request, isSure: true, place })(codeFor(instrument, symbols));
  return command.length > MAX_PRESSED_CHARS
    ? undefined
    : { label: isHere ? t.ringDirect : t.ringHere, command };
};

/** Why the alert could never fire with the available data; undefined if it could. */
const unusableReason = (
  condition: AlertCondition,
  instrument: Instrument,
  { quoteProblem, seen, hasNews }: Observed,
  { locale }: Requester,
): string | undefined => {
  const t = alertTexts(locale);
  const name = shortLabel(shownTo(instrument, locale).instrument, locale);
  if (condition.kind === 'news') return hasNews ? undefined : t.noNews({ name });
  if (quoteProblem === 'no-data' || quoteProblem === 'not-in-sample')
    return unavailableText(instrument, quoteProblem, locale);
  if (seen?.isKnown !== false) return undefined;
  return condition.kind === 'volume' ? t.noVolume({ name }) : t.noHistory({ name });
};

/** Remembers the price at which the alert was set, and that the day's range so far does not count. */
const firstMemory = (quote: Quote, now: Timestamp): string | undefined =>
  quote.isSample
    ? undefined
    : writeMemory({
        seen: [dayOf(quote.asOf, timeZoneOf(quote.instrument)), quote.price.toFixed()],
        range: firstRange(quote, now),
      });

/** Sets an alert, and says what it waits for, whether that is met already, and when it is evaluated. Throws only on abort. */
export const setAnswer =
  (deps: AlertServiceDeps): AlertService['set'] =>
  async (request, requester, signal) => {
    const { locale } = requester;
    const t = alertTexts(locale);
    const text = request.text.trim();
    if (text === '') return emptyAnswer(t.usage());
    if (text.length > MAX_TEXT) return emptyAnswer(t.problems.tooLong());
    const read = readAlert(text);
    if (read.status === 'range')
      return emptyAnswer(
        t.range({ name: echoed(read.name), low: echoed(read.low), high: echoed(read.high) }),
      );
    if (read.status === 'unclear') {
      const match = deps.symbols.resolve(read.text);
      if (match.status === 'found') return offerConditions(match.instrument, requester, deps.symbols);
      return emptyAnswer(t.unclear({ name: echoed(read.text) }));
    }
    const resolved = await resolveAlertName(read, deps.symbols, locale, commandFor(read, request), signal);
    if (resolved.status === 'missed') return withShortChoices(missedAnswer(resolved.names));
    const now = deps.clock.now();
    const terms = termsOf(request, read, requester, now);
    if (typeof terms === 'string') return emptyAnswer(terms);

    const { draft } = resolved;
    const pairs = pairsOf(resolved.instrument, draft, read.name, deps.symbols);
    const result = nearestPair(await deps.market.getQuotes(pairs, signal), draft);
    const quote = result?.status === 'ok' ? result.quote : undefined;
    const instrument = quote?.instrument ?? pairs[0] ?? resolved.instrument;
    const settled = settleCondition(draft, instrument, quote?.price, locale);
    if (settled.status === 'problem') return emptyAnswer(settled.text);
    const observed = await marketSnapshot(
      { instrument, condition: settled.condition },
      result,
      deps,
      requester,
      signal,
    );
    const reason = unusableReason(settled.condition, instrument, observed, requester);
    if (reason !== undefined) return emptyAnswer(reason);
    const condition =
      draft.kind === 'ma-either' ? turned(settled.condition, terms, instrument, observed) : settled.condition;
    const opens = terms.expiresAt && opensAt({ ...terms, instrument, condition }, now);
    if (opens && terms.expiresAt && Temporal.Instant.compare(opens, terms.expiresAt) >= 0)
      return emptyAnswer(t.endsTooSoon({ opens: writeDayMoment(opens, requester.timeZone, locale) }));
    if (!request.isSure && quote && isFarOff(condition, instrument, quote.price))
      return withShortChoices(
        askIfMeant({ condition, instrument }, observed, read, request, requester, deps),
      );

    const place = request.place ?? read.options.place;
    const target = await targetOf(place, requester, deps.directTarget);
    if (!target) return emptyAnswer(t.noDirectChat());
    const { inChannels } = deps;
    const isTooOften = terms.isRepeating && terms.cooldownMinutes < inChannels.repeatMinutes;
    const inChat = chatNoticeTexts(locale);
    if (isTooOften && sharedChatOf(target) !== undefined)
      return emptyAnswer(inChat.tooOften({ minutes: inChannels.repeatMinutes }));
    const ownerId = await deps.owners.ownerOf(requester);
    const { name: setByName, timeZone, zoneFrom } = requester;
    const zoneGuess = isSureZone(zoneFrom) ? undefined : zoneFrom;
    const memory = quote && firstMemory(quote, now);
    const alert = {
      ownerId,
      instrument,
      condition,
      ...terms,
      ...(memory !== undefined && { memory }),
      target,
      setByName,
      locale,
      timeZone,
      ...(zoneGuess && { zoneGuess }),
    };
    const same = (await deps.store.listOf(ownerId)).find((each) => isSame(each, alert));
    const confirmed = (record: AlertRecord, isNew: boolean): MarketAnswer =>
      confirmation(
        record,
        isNew,
        observed,
        requester,
        now,
        otherPlace(record, read, request, requester, deps),
      );
    const isMoved = same && place !== undefined && !isSamePlace(same.target, target);
    if (same && !isMoved) return confirmed(same, false);
    const added = same
      ? await deps.store.move({ ...same, target }, inChannels)
      : await deps.store.add(alert, requester, requester.requestId, deps.maxAlerts, inChannels);
    if (!('alert' in added)) {
      const reasons = {
        full: t.full({ limit: deps.maxAlerts }),
        gone: t.notFound({ name: same?.id ?? '' }),
        'chat-full': inChat.alertsFull({ limit: inChannels.perChat }),
        'repeating-full': inChat.repeatingFull({ limit: inChannels.repeatingPerPerson }),
      };
      return emptyAnswer(reasons[added.status]);
    }
    deps.changed();
    return confirmed(added.alert, added.status !== 'moved');
  };

/** A name alone: what people usually wait for is offered. */
const offerConditions = (
  instrument: Instrument,
  { locale }: Requester,
  symbols: Pick<SymbolSearch, 'resolve'>,
): MarketAnswer => {
  const t = alertTexts(locale);
  const code = codeFor(instrument, symbols);
  const offer = (label: string, condition: string): Choice => ({
    label,
    command: `/alert ${code} ${condition}`,
    answers: 'pick',
    effect: 'ends',
  });
  const choices = [
    ...['+5%', '-5%', '+10%', '-10%'].map((change) =>
      offer(t.offers.fromNow({ change }), `${change} from now`),
    ),
    offer(t.offers.day, '3%'),
    offer(t.offers.news, 'news'),
    { label: t.other.label, command: `/alert ${code} ${REST}`, answers: 'pick' as const },
  ];
  const name = shortLabel(shownTo(instrument, locale).instrument, locale);
  return { ...emptyAnswer(t.offer({ name })), choices };
};
