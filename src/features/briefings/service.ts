import { codeFor } from '#src/kernel/market/finance.ts';
import { emptyAnswer } from '#src/kernel/chat/answer.ts';
import { briefingTexts } from './texts.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import { MAX_PRESSED_CHARS, type ReplyTarget, isSamePlace, placeOf } from '#src/kernel/chat/message.ts';
import type { AlertPlace } from '#src/kernel/people/alerts.ts';
import type { BriefingService, BriefingRecord } from '#src/kernel/people/briefings.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { isSureZone } from '#src/kernel/time.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { echo, missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { readTime } from '#src/reading/times.ts';
import type { BriefingStore, NewBriefing } from './store.ts';
import { deleteChoice, describeBriefing, isWhole, MAX_NAMES, wordsOnly } from './briefing-text.ts';
import { isOneDay, kindOfDays, nextBriefingAt, readDays } from './schedule.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { ComposeBriefing } from './compose-briefing.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface BriefingServiceDeps extends FeatureUses<'clock.now' | 'symbols.resolve' | 'owners.ownerOf'> {
  readonly store: Pick<BriefingStore, 'add' | 'listOf' | 'remove'>;
  readonly compose: ComposeBriefing;
  /** The requester's private chat; undefined if the channel cannot open one. */
  readonly directTarget: (requester: Requester) => Promise<ReplyTarget | undefined>;
  /** Tells the runner that briefings were added or removed. */
  readonly changed: () => void;
  /** The limit of one channel, whoever set them. */
  readonly maxPerChannel: number;
}

/** The limit of one person. */
const MAX_BRIEFINGS = 10;

const PLACE_WORDS: Readonly<Record<AlertPlace, string>> = { here: 'here', direct: 'dm' };

/**
 * The place that a briefing is sent to, without parts of the target that expire: the direct chat, unless the person said
 * otherwise or none can be opened.
 */
const targetOf = async (
  place: AlertPlace | undefined,
  requester: Requester,
  directTarget: BriefingServiceDeps['directTarget'],
): Promise<Pick<BriefingRecord, 'target' | 'isPrivate'> | undefined> => {
  const here = { target: placeOf(requester.target), isPrivate: requester.isDirect };
  if (place === 'here' || requester.isDirect) return here;
  const direct = await directTarget(requester);
  if (direct) return { target: placeOf(direct), isPrivate: true };
  return place === undefined ? here : undefined;
};

const symbolsIn = ({ instruments }: NewBriefing): string =>
  instruments
    .map(({ symbol }) => symbol)
    .toSorted()
    .join(' ');

/** Whether two briefings are sent at the same times to the same place with the same subjects. */
const isSame = (a: NewBriefing, b: NewBriefing): boolean =>
  a.time.equals(b.time) &&
  a.days.join() === b.days.join() &&
  a.timeZone === b.timeZone &&
  isSamePlace(a.target, b.target) &&
  symbolsIn(a) === symbolsIn(b);

/** Reads time, days and names, and stores nothing unless all of them are clear. */
const setAnswer =
  ({
    owners,
    store,
    symbols,
    clock,
    directTarget,
    changed,
    maxPerChannel,
  }: BriefingServiceDeps): BriefingService['set'] =>
  async ({ time: typedTime, days: typedDays, names = [], place }, requester, signal) => {
    const { locale } = requester;
    const t = briefingTexts(locale);
    const told = readTime(typedTime, { allowsCompact: true })?.value;
    if (!told) return emptyAnswer(t.badTime({ typed: echo(typedTime) }));
    const days = readDays(typedDays);
    if (!days) {
      const typed = echo(typedDays ?? '');
      return emptyAnswer(isOneDay(typed) ? t.notOnce() : t.badDays({ typed }));
    }
    if (names.length > MAX_NAMES) return emptyAnswer(t.tooManyNames({ limit: MAX_NAMES }));
    const again = (codes: string, at = place): string =>
      `/briefing ${typedTime} ${typedDays ?? ''} ${codes} ${at === undefined ? '' : PLACE_WORDS[at]}`
        .replaceAll(/\s+/gu, ' ')
        .trim();
    const resolved = await resolveNames(names, symbols, locale, again, signal);
    // Offer no buttons with several names: each button would set a briefing with its own name alone.
    const choices =
      names.length > 1 ? [] : resolved.choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
    if (!isWhole(resolved)) return missedAnswer({ ...resolved, choices });

    const found = await targetOf(place, requester, directTarget);
    if (!found) return emptyAnswer(t.noDirect());
    const { target, isPrivate } = found;
    const { time, timeZone = requester.timeZone } = told;
    // A zone that was typed with the time is certain.
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
    const own = await store.listOf(ownerId);
    const same = own.find((each) => isSame(each, wanted));
    // Whoever says whom it is for has set it a moment ago.
    const elsewhere =
      place === undefined ? undefined : own.find((each) => isSame({ ...each, target }, wanted));
    const { channelId, userId } = requester;
    const outcome = same
      ? ({ status: 'repeated', briefing: same } as const)
      : await store.add(wanted, { channelId, userId }, requester.requestId, MAX_BRIEFINGS, maxPerChannel);
    if (!('briefing' in outcome)) {
      const isPersonFull = outcome.status === 'full';
      return emptyAnswer(
        isPersonFull
          ? t.full({ limit: MAX_BRIEFINGS })
          : chatNoticeTexts(locale).briefingsFull({ limit: maxPerChannel }),
      );
    }
    if (!same && elsewhere) await store.remove(ownerId, elsewhere.id);
    if (!same) changed();
    const { briefing } = outcome;
    const said = describeBriefing(briefing, requester);
    const details = [
      ...(briefing.instruments.length > 0
        ? [t.withNames({ names: briefing.instruments.map((each) => shortLabel(each, locale)).join(', ') })]
        : []),
      !briefing.isPrivate
        ? t.inGroup()
        : kindOfDays(briefing.days) === 'weekdays'
          ? t.inDirectOnWeekdays()
          : t.inDirect(),
    ];
    const codes = briefing.instruments.map((each) => codeFor(each, symbols)).join(' ');
    const other = briefing.isPrivate
      ? { label: t.toEveryone(), command: again(codes, 'here') }
      : { label: t.toMe(), command: again(codes, 'direct') };
    const others = requester.isDirect || other.command.length > MAX_PRESSED_CHARS ? [] : [other];
    const text = outcome.status === 'added' ? t.set(said) : t.setRepeated(said);
    const deletes = [...others, deleteChoice(briefing, locale, 'itself')];
    return {
      ...wordsOnly([[text, ...details].join('\n')], 1, deletes),
      receipt: { effect: 'set', text, choices: deletes },
      dependsOnZone: briefing.zoneGuess !== undefined,
    };
  };

const ALL: ReadonlySet<string> = new Set(['all', '모두', '전부', '전체']);

const listText = (briefings: readonly BriefingRecord[], requester: Requester): string =>
  briefings
    .map((briefing) =>
      briefingTexts(requester.locale).listed({
        ...describeBriefing(briefing, requester),
        names: briefing.instruments.map(({ name }) => name[requester.locale]).join(', '),
      }),
    )
    .join('\n');

const listAnswer =
  ({ owners, store }: BriefingServiceDeps): BriefingService['list'] =>
  async (_request, requester) => {
    const t = briefingTexts(requester.locale);
    const briefings = await store.listOf(await owners.ownerOf(requester));
    // An empty list is an answer too.
    if (briefings.length === 0) return wordsOnly([t.none()], 1);
    return wordsOnly(
      [[t.listTitle(), listText(briefings, requester)].join('\n'), t.howToDelete()],
      briefings.length,
      briefings.map((briefing) => deleteChoice(briefing, requester.locale, 'list')),
    );
  };

const removeAnswer =
  ({ owners, store, changed }: BriefingServiceDeps): BriefingService['remove'] =>
  async ({ which, isSure = false }, requester) => {
    const { locale } = requester;
    const t = briefingTexts(locale);
    const ownerId = await owners.ownerOf(requester);
    const own = await store.listOf(ownerId);
    if (own.length === 0) return emptyAnswer(t.none());
    const wanted = which.trim().toLowerCase();
    if (ALL.has(wanted)) {
      if (!isSure)
        return {
          ...wordsOnly([t.confirmRemoveAll({ count: own.length })], 1, [
            {
              label: t.removeAll(),
              command: '/briefing delete all --yes',
              answers: 'yes',
              isDestructive: true,
            },
            { label: t.keep(), command: '/briefing', answers: 'no' },
          ]),
          typed: commandTexts(locale).goOn({ command: '/briefing delete all --yes' }),
        };
      const removed = await Promise.all(own.map(({ id }) => store.remove(ownerId, id)));
      changed();
      return wordsOnly([t.removedAll({ count: removed.filter(Boolean).length })], 1);
    }
    const only = own.length === 1 ? own[0] : undefined;
    const meant = wanted === '' ? only : own.find(({ id }) => id.toLowerCase() === wanted);
    if (meant && (await store.remove(ownerId, meant.id))) {
      changed();
      const text = t.removed(describeBriefing(meant, requester));
      return { ...wordsOnly([text], 1), receipt: { effect: 'removed', text } };
    }
    return {
      ...wordsOnly(
        [wanted === '' ? t.which() : t.unknown({ typed: echo(which) }), listText(own, requester)],
        0,
        own.map((briefing) => deleteChoice(briefing, locale, 'list')),
      ),
      typed: t.howToDelete(),
    };
  };

const removeFromList =
  (deps: BriefingServiceDeps): BriefingService['remove'] =>
  async (request, requester, signal) => {
    const outcome = await removeAnswer(deps)(request, requester, signal);
    // What was not found is answered with the list already.
    if (request.page === undefined || outcome.found === 0) return outcome;
    const list = await listAnswer(deps)({}, requester, signal);
    return { ...list, content: `${outcome.content}\n\n${list.content}` };
  };

const nowAnswer =
  ({ owners, symbols, compose }: BriefingServiceDeps): BriefingService['now'] =>
  async ({ names = [] }, requester, signal) => {
    const { locale, timeZone, isDirect: isPrivate } = requester;
    const t = briefingTexts(locale);
    if (names.length > MAX_NAMES) return emptyAnswer(t.tooManyNames({ limit: MAX_NAMES }));
    const resolved = await resolveNames(names, symbols, locale, (code) => `/briefing now ${code}`, signal);
    if (!isWhole(resolved)) return missedAnswer(resolved);
    const ownerId = await owners.ownerOf(requester);
    const order = { ownerId, isPrivate, instruments: resolved.instruments, locale, timeZone };
    const { text, cards, facts, isEmpty } = await compose(order, signal);
    if (isEmpty) return emptyAnswer(t.down());
    return { content: text, ...(cards && { cards }), facts, found: 1, isUntrusted: true };
  };

/** The briefings of a person. Throws on abort, or where the storage does. */
export const createBriefingService = (deps: BriefingServiceDeps): BriefingService => ({
  set: setAnswer(deps),
  list: listAnswer(deps),
  remove: removeFromList(deps),
  now: nowAnswer(deps),
});
