import type { SymbolSearch } from '#src/kernel/finance.ts';
import { briefingMessages } from './messages.ts';
import { chatNoticeMessages } from '#src/features/alerts/index.ts';
import { MAX_PRESSED_CHARS, type ReplyTarget } from '#src/kernel/message.ts';
import { type Requester, type BriefingService, isSamePlace, placeOf } from '#src/kernel/account-services.ts';
import { isSureZone } from '#src/kernel/time-zone.ts';
import { instrumentLabels } from '#src/markets/answers/quote-text.ts';
import { echo, missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import type { Clock } from '#src/platform/clock.ts';
import { readTime } from '#src/language/times.ts';
import type { BriefingStore, NewBriefing } from './store.ts';
import type { OwnerStore } from '#src/platform/storage/owners.ts';
import { deleteChoice, describeBriefing, isWhole, MAX_NAMES, wordsOnly } from './briefing-text.ts';
import { nextBriefingAt } from './next-run.ts';
import { isOneDay, kindOfDays, readDays } from './read-schedule.ts';

export interface SetBriefingDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly store: Pick<BriefingStore, 'add' | 'listOf'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The private chat with who asks; undefined where the channel cannot open one. */
  readonly directTarget: (requester: Requester) => Promise<ReplyTarget | undefined>;
  /** Of the runner: there is another next time now. */
  readonly changed: () => void;
  /** In one channel, whoever set them. */
  readonly maxPerChannel: number;
}

/** Nobody reads more; and what is told in a group is told to all of it. */
const MAX_BRIEFINGS = 10;

/** Where it is told: here, without anything that lasts only for a moment, or in the private chat. */
const targetOf = async (
  isToDirect: boolean,
  requester: Requester,
  directTarget: SetBriefingDeps['directTarget'],
): Promise<ReplyTarget | undefined> => {
  if (requester.isDirect || !isToDirect) return placeOf(requester.target);
  const direct = await directTarget(requester);
  return direct && placeOf(direct);
};

const symbolsIn = ({ instruments }: NewBriefing): string =>
  instruments
    .map(({ symbol }) => symbol)
    .toSorted()
    .join(' ');

/** The same at the same time and place: nobody wants to be told it twice. */
const isSame = (a: NewBriefing, b: NewBriefing): boolean =>
  a.time.equals(b.time) &&
  a.days.join() === b.days.join() &&
  a.timeZone === b.timeZone &&
  isSamePlace(a.target, b.target) &&
  symbolsIn(a) === symbolsIn(b);

/** Reads when, how often and of what; stores nothing unless all of it is clear. */
export const setBriefing =
  ({
    owners,
    store,
    symbols,
    clock,
    directTarget,
    changed,
    maxPerChannel,
  }: SetBriefingDeps): BriefingService['set'] =>
  async ({ time: typedTime, days: typedDays, names = [], isToDirect = false }, requester, signal) => {
    const { locale } = requester;
    const t = briefingMessages(locale);
    const told = readTime(typedTime, { allowsCompact: true })?.value;
    if (!told) return wordsOnly([t.badTime({ typed: echo(typedTime) })], 0);
    const days = readDays(typedDays);
    if (!days) {
      const typed = echo(typedDays ?? '');
      return wordsOnly([isOneDay(typed) ? t.notOnce() : t.badDays({ typed })], 0);
    }
    if (names.length > MAX_NAMES) return wordsOnly([t.tooManyNames({ limit: MAX_NAMES })], 0);
    const again = (code: string): string => {
      const command = `/briefing ${typedTime} ${typedDays ?? ''} ${code}${isToDirect ? ' --dm' : ''}`;
      return command.replaceAll(/\s+/gu, ' ');
    };
    const resolved = await resolveNames(names, symbols, locale, again, signal);
    // A press must not set something else: with several names each would only take itself along.
    const choices =
      names.length > 1 ? [] : resolved.choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
    if (!isWhole(resolved)) return missedAnswer({ ...resolved, choices });

    const target = await targetOf(isToDirect, requester, directTarget);
    if (!target) return wordsOnly([t.noDirect()], 0);
    const isPrivate = requester.isDirect || isToDirect;
    const { time, timeZone = requester.timeZone } = told;
    // A zone that was told beside the time is no guess.
    const zoneFrom = told.timeZone === undefined ? requester.zoneFrom : undefined;
    const schedule = { time, days, timeZone };
    const ownerId = await owners.ownerOf(requester);
    const nextAt = await nextBriefingAt(schedule, clock.now());
    const { instruments } = resolved;
    const wanted = {
      ...schedule,
      ...(zoneFrom && !isSureZone(zoneFrom) && { zoneGuess: zoneFrom }),
      ownerId,
      locale,
      target,
      isPrivate,
      instruments,
      nextAt,
    };
    const same = (await store.listOf(ownerId)).find((each) => isSame(each, wanted));
    const { channelId, userId } = requester;
    const outcome = same
      ? ({ status: 'repeated', briefing: same } as const)
      : await store.add(wanted, { channelId, userId }, requester.requestId, MAX_BRIEFINGS, maxPerChannel);
    if (outcome.status === 'full') return wordsOnly([t.full({ limit: MAX_BRIEFINGS })], 0);
    if (outcome.status === 'chat-full')
      return wordsOnly([chatNoticeMessages(locale).briefingsFull({ limit: maxPerChannel })], 0);
    if (!same) changed();
    const { briefing } = outcome;
    const said = describeBriefing(briefing, requester);
    const details = [
      ...(briefing.instruments.length > 0
        ? [t.withNames({ names: instrumentLabels(briefing.instruments, locale) })]
        : []),
      ...(kindOfDays(briefing.days) === 'weekdays' ? [t.holidays()] : []),
      briefing.isPrivate ? t.inDirect() : t.inGroup(),
    ];
    return {
      ...wordsOnly([outcome.status === 'added' ? t.set(said) : t.setRepeated(said), details.join('\n')], 1, [
        deleteChoice(briefing, locale),
      ]),
      dependsOnZone: briefing.zoneGuess !== undefined,
    };
  };
