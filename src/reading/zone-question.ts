import type { Locale } from '#src/kernel/locale.ts';
import { zoneTexts } from './zone-texts.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import { isSureZone, type ZoneSource } from '#src/kernel/time.ts';
import { COMMON_ZONES, placeOfZone } from './time-zone.ts';

/** A person with their time zone and its origin. */
export interface ZonedAudience {
  readonly channelId: ChannelId;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly zoneFrom?: ZoneSource | undefined;
}

export interface ZoneQuestion {
  readonly text: string;
  readonly choices: readonly Choice[];
}

const MAX_OFFERED = 4;

export const zoneSourceText = ({ channelId, locale, zoneFrom = 'profile' }: ZonedAudience): string =>
  zoneTexts(locale).from[zoneFrom]({
    platform: channelId.slice(0, 1).toUpperCase() + channelId.slice(1),
  });

const choose = (zone: string, label: string): Choice => ({
  label,
  command: `/profile timezone ${zone}`,
  effect: 'ends',
});

/** Buttons for common zones, the language's likeliest first. */
export const commonZoneChoices = (locale: Locale): readonly Choice[] =>
  (locale === 'ko' ? COMMON_ZONES : COMMON_ZONES.toSorted((a, b) => rankOf(a) - rankOf(b))).map((zone) =>
    choose(zone, placeOfZone(zone, locale)),
  );

const ENGLISH_FIRST = ['America/New_York', 'America/Los_Angeles', 'Europe/London', 'Asia/Seoul'];
const rankOf = (zone: string): number => {
  const rank = ENGLISH_FIRST.indexOf(zone);
  return rank === -1 ? ENGLISH_FIRST.length : rank;
};

/** A press uses up its own button alone, because the others may belong to what was set. */
const choicesFor = ({ locale, timeZone, zoneFrom }: ZonedAudience): readonly Choice[] => {
  const t = zoneTexts(locale);
  const other: Choice = { label: t.other(), command: '/profile timezone', answers: 'no', effect: 'once' };
  const common = commonZoneChoices(locale);
  const offered =
    zoneFrom === 'machine'
      ? common.slice(0, MAX_OFFERED)
      : [
          {
            ...choose(timeZone, t.yes({ place: placeOfZone(timeZone, locale) })),
            answers: 'yes' as const,
          },
        ];
  return [...offered.map((choice) => ({ ...choice, effect: 'once' as const })), other];
};

const inZone = (audience: ZonedAudience) => ({
  place: placeOfZone(audience.timeZone, audience.locale),
  zone: audience.timeZone,
  from: zoneSourceText(audience),
});

/** The question after something was set in a guessed zone. Undefined if the zone is certain. */
export const zoneQuestion = (audience: ZonedAudience): ZoneQuestion | undefined => {
  if (isSureZone(audience.zoneFrom)) return undefined;
  const { ask, askUnknown } = zoneTexts(audience.locale);
  const text = (audience.zoneFrom === 'machine' ? askUnknown : ask)(inZone(audience));
  return { text, choices: choicesFor(audience) };
};

/** The note below a message scheduled in a guessed zone. */
export const zoneDoubt = (audience: ZonedAudience): ZoneQuestion | undefined =>
  isSureZone(audience.zoneFrom)
    ? undefined
    : { text: zoneTexts(audience.locale).late(inZone(audience)), choices: choicesFor(audience) };
