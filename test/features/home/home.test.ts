import { describe, expect, it, onTestFinished } from 'vitest';
import { audienceOf } from '#src/chat/context/message-context.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';
import { createHome } from '#src/features/home/home.ts';
import type { HomeReader } from '#src/kernel/people/home.ts';
import { type AccountId, asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { createProfiles } from '#src/people/store/profiles.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { APPLE, SAMSUNG } from '#test/support/instruments.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const READER: HomeReader = {
  channelId: asId<ChannelId>('slack'),
  accountId: asId<AccountId>('T1'),
  senderId: asId<UserId>('U1'),
  senderName: 'ann',
  guildId: 'T1',
  locale: 'ko',
  timeZone: 'Asia/Seoul',
};
const STRANGER = asId<UserId>('U9');
const PERSON = { channelId: READER.channelId, userId: READER.senderId };
const NEVER = new AbortController().signal;

const table = (rows: number): string =>
  ['| Name | Value |', '|---|---:|', ...Array.from({ length: rows }, (_, at) => `| N${at} | ${at} |`)].join(
    '\n',
  );

const said = (content: string): MarketAnswer => ({ content, facts: [], found: 1 });

/** A page whose portfolio and watchlist answer as the test says, on a real database. */
const setUp = async (
  answers: { summary?: () => Promise<MarketAnswer>; watched?: () => Promise<MarketAnswer> } = {},
) => {
  const { storage } = await sqliteStorage();
  onTestFinished(storage.close);
  const clock = new ManualClock();
  const stores = createAccountStores(storage, clock);
  const profiles = createProfiles(storage, clock);
  const { logger, records } = recordingLogger();
  const home = createHome({
    isIgnored: () => false,
    refusalHere: async ({ senderId }) => (senderId === STRANGER ? 'Please ask for `slack:U9`.' : undefined),
    portfolio: { summary: answers.summary ?? (async () => said('nothing')) },
    watchlist: { show: answers.watched ?? (async () => said('nothing')) },
    stores,
    profiles,
    storage,
    audienceOf: (reader, profile) => audienceOf(reader, { locale: 'auto', timeZone: 'UTC' }, profile),
    clock,
    logger,
  });
  return { clock, stores, profiles, home, records };
};

describe('the page about what a person has', () => {
  it('shows the largest holdings, and how many there are beside them', async () => {
    const card = { title: 'Main', headline: '₩1', fields: [], footer: 'Yahoo', tone: 'up' } as const;
    const { home } = await setUp({
      summary: async () => ({
        ...said(`head\n${table(9)}\nnotes`),
        cards: { items: [card], text: '' },
      }),
      watched: async () => said(`**Title**\n\n${table(20)}\n\nsource: Yahoo`),
    });
    const { sections, locale, isPartial, footer } = await home.compose(READER, NEVER);
    const [portfolio, watchlist] = sections;
    expect({ locale, isPartial }).toEqual({ locale: 'ko', isPartial: false });
    expect(portfolio).toMatchObject({ title: 'Main', card });
    expect(portfolio?.text).toMatch(/\| N4 \| 4 \|\n\n… 외 4개$/u);
    expect(watchlist?.text).toMatch(/\| N14 \| 14 \|\n\n… 외 5개\n\nsource: Yahoo$/u);
    // In the zone of the reader.
    expect(footer).toContain('2026-11-13 15:30 KST');
  });

  it('comes after two seconds without the prices that take longer, and names what is watched', async () => {
    const late = Promise.withResolvers<MarketAnswer>();
    const { home, clock, stores } = await setUp({ watched: () => late.promise });
    await stores.watchlists.add(await stores.owners.ownerOf(PERSON), [APPLE, SAMSUNG], 50);
    const composing = home.compose(READER, NEVER);
    await clock.advance(2_000);
    const { sections, isPartial } = await composing;
    expect(isPartial).toBe(true);
    expect(sections[1]?.text).toMatch(/^- .*AAPL.*\n- 삼성전자.*\n시세를 가져오는 데/u);
    late.reject(new Error('down'));
  });

  it('shows nothing to whom the operator does not admit, and asks no market', async () => {
    const { home } = await setUp({ summary: () => Promise.reject(new Error('asked')) });
    const page = await home.compose({ ...READER, senderId: STRANGER }, NEVER);
    expect(page).toMatchObject({
      sections: [{ title: '아직 사용할 수 없습니다', text: expect.stringContaining('`slack:U9`') }],
      isPartial: false,
    });
    expect(page.sections).toHaveLength(1);
  });

  it('says which part could not be read, and shows the others', async () => {
    const { home, records } = await setUp({
      summary: async () => {
        throw new Error('broken');
      },
    });
    const { sections } = await home.compose(READER, NEVER);
    expect(sections[0]?.text).toContain('불러오지 못했습니다');
    expect(sections[1]?.text).toBe('nothing');
    expect(JSON.stringify(records())).toContain('home page');
  });

  it('is in the language and the zone of the profile, before those of the platform', async () => {
    const { home, profiles } = await setUp();
    await profiles.change(PERSON.channelId, PERSON.userId, (before) => ({
      ...before,
      locale: 'en',
      timeZone: 'America/New_York',
    }));
    const { locale, sections } = await home.compose(READER, NEVER);
    expect(locale).toBe('en');
    expect(await home.languageOf(READER)).toBe('en');
    expect(JSON.stringify(sections.at(-1))).toContain('America/New_York');
    expect(sections.at(-1)?.choices?.find(({ isCurrent }) => isCurrent)?.label).toBe('English');
  });

  it('has another version after each change, and the same one otherwise', async () => {
    const { home, stores, profiles, clock } = await setUp();
    const seen = new Set([await home.versionOf(READER)]);
    const isNew = async (): Promise<boolean> => {
      const { size } = seen;
      seen.add(await home.versionOf(READER));
      return seen.size > size;
    };
    expect(await isNew()).toBe(false);
    const ownerId = await stores.owners.ownerOf(PERSON);
    await stores.watchlists.add(ownerId, [APPLE], 50);
    expect(await isNew()).toBe(true);
    await stores.portfolios.create(PERSON, { name: 'main', baseCurrency: 'USD' });
    expect(await isNew()).toBe(true);
    await profiles.change(PERSON.channelId, PERSON.userId, (before) => ({ ...before, locale: 'en' }));
    expect(await isNew()).toBe(true);
    await clock.advance(60_000);
    expect(await isNew()).toBe(false);
  });
});
