import { describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { placeOfZone, zoneOfLanguage } from '#src/reading/time-zone.ts';
import {
  commonZoneChoices,
  zoneDoubt,
  zoneQuestion,
  type ZonedAudience,
} from '#src/reading/zone-question.ts';
import { everyRow } from '#test/support/every-row.ts';

const audience = (more: Partial<ZonedAudience>): ZonedAudience => ({
  channelId: asId<ChannelId>('discord'),
  locale: 'en',
  timeZone: 'Asia/Seoul',
  zoneFrom: 'language',
  ...more,
});

describe('the time zone question', () => {
  it('is not asked if the zone is known', () => {
    for (const zoneFrom of ['profile', 'platform', 'terminal', undefined] as const) {
      expect(zoneQuestion(audience({ zoneFrom }))).toBeUndefined();
      expect(zoneDoubt(audience({ zoneFrom }))).toBeUndefined();
    }
  });

  it('names the guessed zone and its reason, with buttons to confirm or change it', () => {
    const question = zoneQuestion(audience({}));
    expect(question?.text).toContain('**Seoul time** (Asia/Seoul, guessed from your Discord language)');
    expect(question?.choices).toEqual([
      { label: 'Yes, Seoul time', command: '/profile timezone Asia/Seoul', answers: 'yes', effect: 'once' },
      { label: 'Another zone', command: '/profile timezone', answers: 'no', effect: 'once' },
    ]);
  });

  it("offers common zones without a guess, the language's first", () => {
    const unknown = { timeZone: 'UTC', zoneFrom: 'machine' } as const;
    const labels = (locale: 'en' | 'ko') =>
      zoneQuestion(audience({ ...unknown, locale }))?.choices.map(({ label }) => label);
    expect(labels('en')).toEqual(['New York', 'Los Angeles', 'London', 'Seoul', 'Another zone']);
    expect(labels('ko')).toEqual(['서울', '도쿄', '싱가포르', '런던', '다른 시간대']);
    expect(commonZoneChoices('en').every(({ command }) => command.length <= 80)).toBe(true);
  });
});

describe('the zone guessed from a language tag', () => {
  everyRow([
    ['ko', 'Asia/Seoul'],
    ['ja', 'Asia/Tokyo'],
    ['en-GB', 'Europe/London'],
    ['zh-TW', 'Asia/Taipei'],
    ['en-US', undefined],
    ['es-419', undefined],
    ['xx', undefined],
    ['__proto__', undefined],
  ])('of %s is %s', (tag, zone) => {
    expect(zoneOfLanguage(tag)).toBe(zone);
  });
});

describe('a zone is displayed', () => {
  it.each([
    ['America/New_York', 'New York', '뉴욕'],
    ['Asia/Seoul', 'Seoul', '서울'],
    ['Europe/London', 'London', '런던'],
    ['Europe/Berlin', 'Berlin', '베를린'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires', 'Buenos Aires'],
    ['UTC', 'UTC', 'UTC'],
  ])('%s by its city', (zone, en, ko) => {
    expect(placeOfZone(zone, 'en')).toBe(en);
    expect(placeOfZone(zone, 'ko')).toBe(ko);
  });
});
