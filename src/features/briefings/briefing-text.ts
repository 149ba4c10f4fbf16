import type { BriefingRecord, WeekDay } from '#src/kernel/people/briefings.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { briefingTexts } from './texts.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import { endNotice, type EndReason, type NoticeDeps } from '#src/features/alerts/index.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Choice, isSamePlace } from '#src/kernel/chat/message.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { weekdayName, writeDayMoment } from '#src/kernel/time.ts';
import type { ResolvedNames } from '#src/markets/answers/resolve-names.ts';
import { kindOfDays } from './schedule.ts';

/** The limit of one briefing. */
export const MAX_NAMES = 10;

/** An answer about briefings themselves, without market data. */
export const wordsOnly = (
  paragraphs: readonly string[],
  found: number,
  choices: readonly Choice[] = [],
): MarketAnswer => ({
  content: paragraphs.join('\n\n'),
  facts: [],
  found,
  ...(choices.length > 0 && { choices }),
});

/** Whether every name was found. */
export const isWhole = ({ names }: ResolvedNames): boolean => names.every(({ status }) => status === 'found');

export const timeText = (time: Temporal.PlainTime): string => time.toString({ smallestUnit: 'minute' });

export const daysText = (days: readonly WeekDay[], locale: Locale): string => {
  const briefings = briefingTexts(locale);
  const kind = kindOfDays(days);
  return kind ? briefings[kind] : days.map((day) => weekdayName(day, locale)).join(', ');
};

/** The place of a briefing, from the requester's point of view. */
const placeText = ({ target, isPrivate }: BriefingRecord, requester: Requester): string => {
  const t = briefingTexts(requester.locale);
  if (isSamePlace(target, requester.target)) return t.here();
  return isPrivate && target.channelId === requester.channelId
    ? t.direct()
    : t.elsewhere({ channel: target.channelId });
};

/** The placeholders of the messages that describe a briefing. */
export const describeBriefing = (briefing: BriefingRecord, requester: Requester) => ({
  id: briefing.id,
  days: daysText(briefing.days, requester.locale),
  time: timeText(briefing.time),
  zone: briefing.timeZone,
  place: placeText(briefing, requester),
  next: writeDayMoment(briefing.nextAt, briefing.timeZone, requester.locale),
});

/** Below the briefing itself it is used once. Below a list, the list without the briefing takes its place. */
export const deleteChoice = (briefing: BriefingRecord, locale: Locale, below: 'itself' | 'list'): Choice => ({
  label: briefingTexts(locale).deleteIt({
    id: briefing.id,
    days: daysText(briefing.days, locale),
    time: timeText(briefing.time),
  }),
  command: `/briefing delete ${briefing.id}${below === 'list' ? ' --page=1' : ''}`,
  effect: below === 'list' ? 'replaces' : 'ends',
  isDestructive: true,
});

export const briefingTitle = ({ days, time, timeZone }: BriefingRecord, locale: Locale): string =>
  chatNoticeTexts(locale).briefing({ days: daysText(days, locale), time: timeText(time), zone: timeZone });

export const briefingEndNotice = (briefing: BriefingRecord, reason: EndReason, deps: NoticeDeps) =>
  endNotice(briefing, briefingTitle(briefing, briefing.locale), reason, deps);
