import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { asId, type ChannelId, type OwnerId, type UserId } from '#src/kernel/ids.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createPortfolioStore } from '#src/features/portfolio/store/store.ts';
import { createWatchlistStore } from '#src/features/watchlist/store.ts';
import type { TestStorage } from '#test/support/database.ts';
import { linkPeople, partyOf } from '#test/support/link-people.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const person = (channel: string, user: string): PersonRef => ({
  channelId: asId<ChannelId>(channel),
  userId: asId<UserId>(user),
});
const SLACK = person('slack', 'U1');
const DISCORD = person('discord', 'D1');
const CONSOLE = person('console', 'me');
const STRANGER = person('slack', 'U2');

const instrument = (symbol: string): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: symbol, en: symbol },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
});

/** The ids of what was set there. */
const told = ({ channelId, userId }: PersonRef) => [`${channelId}-${userId}`];

/** The part of the contract about who is one person on several platforms. */
export const describeOwnersContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const clock = new ManualClock();
    const owners = createOwnerStore(storage, clock);
    const portfolios = createPortfolioStore(storage, clock);
    const watchlists = createWatchlistStore(storage, clock);
    /** A portfolio, a list, an alert and a briefing, set on this platform. */
    const giveThings = async (
      to: PersonRef,
      portfolio: string,
      symbols: readonly string[],
    ): Promise<void> => {
      const ownerId = await owners.ownerOf(to);
      await portfolios.create(to, { name: portfolio, baseCurrency: 'KRW' });
      await watchlists.add(ownerId, symbols.map(instrument), 10);
      const id = `${to.channelId}-${to.userId}`;
      const common = { id, owner_id: ownerId, channel_id: to.channelId, user_id: to.userId, request_id: id };
      const created_at = clock.now().toString();
      await storage.db
        .insertInto('alerts')
        .values({
          ...common,
          symbol: 'AAPL',
          status: 'active',
          side: 'unknown',
          memory: '',
          details: '{}',
          fired_count: 0,
          created_at,
          version: 1,
        })
        .execute();
      await storage.db
        .insertInto('briefings')
        .values({ ...common, details: '{}', next_at: created_at, created_at })
        .execute();
    };
    const idsIn = async (table: 'alerts' | 'briefings', ownerId: OwnerId): Promise<readonly string[]> => {
      const rows = await storage.db.selectFrom(table).select('id').where('owner_id', '=', ownerId).execute();
      return rows.map(({ id }) => id).toSorted();
    };
    const thingsOf = async (of: PersonRef) => {
      const ownerId = await owners.ownerOf(of);
      return {
        portfolios: (await portfolios.list(ownerId)).map((one) => one.name + (one.isDefault ? '*' : '')),
        watched: (await watchlists.list(ownerId)).map(({ symbol }) => symbol).toSorted(),
        alerts: await idsIn('alerts', ownerId),
        briefings: await idsIn('briefings', ownerId),
      };
    };
    const join = (issuer: PersonRef, joiner: PersonRef) => linkPeople(owners, issuer, joiner);
    /** Asked and answered with yes at once. */
    const say = async (code: string, joiner: PersonRef) => {
      const asked = await owners.ask(code, joiner);
      return asked.status === 'asked' ? owners.link(code, partyOf(joiner)) : asked;
    };
    return { storage, clock, owners, portfolios, giveThings, thingsOf, join, say };
  };

  describe(`owners on ${name}`, () => {
    it('are different for different people, whatever their platforms call them', async () => {
      const { owners } = await setUp();
      const people = [
        SLACK,
        STRANGER,
        DISCORD,
        person('slack', 'U1:x'),
        person('slack:U1', 'x'),
        person('slack%3AU1', 'x'),
      ];
      const ids = await Promise.all(people.map(owners.ownerOf));
      expect(new Set(ids).size).toBe(people.length);
      expect(await owners.ownerOf({ ...SLACK })).toBe(ids[0]);
      expect(await owners.identitiesOf(SLACK)).toEqual([SLACK]);
    });

    it('become one by a code that the other one says, with the things of both', async () => {
      const { owners, giveThings, thingsOf, join } = await setUp();
      await giveThings(SLACK, 'main', ['AAPL', 'TSLA']);
      await giveThings(DISCORD, 'Main', ['TSLA', 'MSFT']);
      await giveThings(STRANGER, 'main', ['NVDA']);
      expect(await join(SLACK, DISCORD)).toEqual({
        status: 'linked',
        with: { ...SLACK, name: 'name of U1' },
      });
      const both = {
        portfolios: ['main*', 'Main-discord'],
        watched: ['AAPL', 'MSFT', 'TSLA'],
        alerts: ['discord-D1', 'slack-U1'],
        briefings: ['discord-D1', 'slack-U1'],
      };
      expect([await thingsOf(SLACK), await thingsOf(DISCORD)]).toEqual([both, both]);
      expect(await owners.identitiesOf(DISCORD)).toMatchObject([DISCORD, SLACK]);
      expect(await thingsOf(STRANGER)).toMatchObject({ portfolios: ['main*'], watched: ['NVDA'] });
      expect(await join(DISCORD, SLACK)).toEqual({ status: 'same' });
    });

    it('become one also where both had joined others before', async () => {
      const { owners, giveThings, thingsOf, join } = await setUp();
      const people = [SLACK, DISCORD, CONSOLE, STRANGER] as const;
      for (const one of people) await giveThings(one, 'main', [one.userId]);
      await join(DISCORD, SLACK);
      await join(CONSOLE, STRANGER);
      expect(await join(STRANGER, SLACK)).toMatchObject({ status: 'linked', with: STRANGER });
      expect(new Set(await Promise.all(people.map(owners.ownerOf))).size).toBe(1);
      expect(await owners.identitiesOf(DISCORD)).toHaveLength(4);
      expect(await thingsOf(DISCORD)).toMatchObject({
        portfolios: ['main-slack-2', 'main-slack-3', 'main*', 'main-slack'],
        watched: ['D1', 'U1', 'U2', 'me'],
      });
    });

    it.each([
      ['who said the code', DISCORD, SLACK],
      ['who got the code, under whose name things were', SLACK, DISCORD],
    ])(
      'part again when it is left by the one %s: with what was begun and set there, and the list of both',
      async (_who, leaver, stayer) => {
        const { storage, owners, portfolios, giveThings, thingsOf, join } = await setUp();
        await giveThings(SLACK, 'main', ['AAPL']);
        await giveThings(DISCORD, 'main', ['MSFT']);
        await join(SLACK, DISCORD);
        await portfolios.create(leaver, { name: 'later', baseCurrency: 'KRW' });
        const own = { [SLACK.userId]: 'main', [DISCORD.userId]: 'main-discord' };
        const left = {
          others: [{ ...stayer, contact: expect.objectContaining({ locale: 'en' }) as unknown }],
          takes: [own[leaver.userId], 'later'],
          leaves: [own[stayer.userId]],
        };
        expect(await owners.split(leaver)).toEqual(left);
        expect(await owners.unlink(leaver)).toEqual(left);
        const watched = ['AAPL', 'MSFT'];
        const set = (one: PersonRef) => ({ watched, alerts: told(one), briefings: told(one) });
        expect(await thingsOf(leaver)).toEqual({
          ...set(leaver),
          portfolios: [`${own[leaver.userId]}*`, 'later'],
        });
        expect(await thingsOf(stayer)).toEqual({ ...set(stayer), portfolios: [`${own[stayer.userId]}*`] });
        expect([await owners.identitiesOf(leaver), await owners.identitiesOf(stayer)]).toEqual([
          [leaver],
          [stayer],
        ]);
        expect([await owners.unlink(leaver), await owners.split(stayer)]).toEqual([undefined, undefined]);
        expect(await storage.db.selectFrom('identity_links').selectAll().execute()).toEqual([]);
      },
    );

    it('stay together where one of several leaves; what was begun before that was known stays with them', async () => {
      const { storage, owners, portfolios, giveThings, thingsOf, join } = await setUp();
      await giveThings(SLACK, 'a', ['AAPL']);
      await storage.db.updateTable('portfolios').set({ begun_by: null }).execute();
      await join(SLACK, DISCORD);
      await join(SLACK, CONSOLE);
      await owners.unlink(SLACK);
      expect(await thingsOf(SLACK)).toMatchObject({ portfolios: [], watched: ['AAPL'] });
      for (const left of [DISCORD, CONSOLE])
        expect(await thingsOf(left)).toMatchObject({ portfolios: ['a*'], watched: ['AAPL'] });
      await portfolios.create(SLACK, { name: 'new', baseCurrency: 'KRW' });
      expect((await thingsOf(DISCORD)).portfolios).toEqual(['a*']);
    });
  });

  describe(`questions before linking on ${name}`, () => {
    it('name all identities of the other side, and a yes counts only from the one who was asked', async () => {
      const { owners, join } = await setUp();
      await join(SLACK, CONSOLE);
      const { code } = await owners.issueCode(partyOf(SLACK, { name: 'Eve' }));
      expect(await owners.link(code, partyOf(DISCORD))).toEqual({ status: 'unasked' });
      expect(await owners.ask(code, DISCORD)).toEqual({
        status: 'asked',
        with: [
          { ...SLACK, name: 'Eve' },
          { ...CONSOLE, name: 'name of me' },
        ],
      });
      expect(await owners.link(code, partyOf(STRANGER))).toEqual({ status: 'unasked' });
      const other = await owners.issueCode(partyOf(STRANGER));
      expect(await owners.link(other.code, partyOf(DISCORD))).toEqual({ status: 'unasked' });
      expect(await owners.identitiesOf(DISCORD)).toEqual([DISCORD]);
      expect(await owners.link(code, partyOf(DISCORD))).toMatchObject({ status: 'linked' });
      expect(await owners.link(code, partyOf(DISCORD))).toEqual({ status: 'unknown' });
    });

    it('are asked again where either side was linked with somebody else meanwhile', async () => {
      const { owners, join } = await setUp();
      const { code } = await owners.issueCode(partyOf(SLACK));
      await owners.ask(code, DISCORD);
      await join(DISCORD, CONSOLE);
      expect(await owners.link(code, partyOf(DISCORD))).toEqual({ status: 'changed' });
      await owners.ask(code, DISCORD);
      await join(STRANGER, SLACK);
      expect(await owners.link(code, partyOf(DISCORD))).toEqual({ status: 'changed' });
      expect(await owners.ask(code, DISCORD)).toMatchObject({ with: [SLACK, STRANGER] });
      expect(await owners.link(code, partyOf(DISCORD))).toMatchObject({ status: 'linked' });
    });

    it('end with the code, and a no makes the code void for everybody', async () => {
      const { clock, owners, say } = await setUp();
      const first = await owners.issueCode(partyOf(SLACK));
      await owners.ask(first.code, DISCORD);
      await clock.advance(10 * 60_000);
      expect(await owners.link(first.code, partyOf(DISCORD))).toEqual({ status: 'unknown' });
      expect(await owners.decline(DISCORD)).toBe(false);
      const second = await owners.issueCode(partyOf(SLACK));
      await owners.ask(second.code, DISCORD);
      expect([await owners.decline(STRANGER), await owners.decline(DISCORD)]).toEqual([false, true]);
      expect(await say(second.code, DISCORD)).toEqual({ status: 'unknown' });
      expect(await say(second.code, STRANGER)).toEqual({ status: 'unknown' });
    });
  });

  describe(`link codes on ${name}`, () => {
    it('are read however they are typed, once, and only their hash is stored', async () => {
      const { storage, owners, join, say } = await setUp();
      const { code } = await owners.issueCode(partyOf(SLACK));
      expect(code).toMatch(/^[A-HJ-KM-NP-Z2-9]{4}-[A-HJ-KM-NP-Z2-9]{4}$/);
      const stored = await storage.db.selectFrom('link_codes').selectAll().execute();
      expect(stored).toHaveLength(1);
      expect(JSON.stringify(stored)).not.toContain(code.slice(0, 4));
      expect(await say(code, SLACK)).toEqual({ status: 'same' });
      const typed = ` \`${code.toLowerCase().replace('-', ' – ')}\` `;
      expect(await say(typed, DISCORD)).toMatchObject({ status: 'linked', with: SLACK });
      expect(await say(code, STRANGER)).toEqual({ status: 'unknown' });
      expect(await owners.identitiesOf(STRANGER)).toEqual([STRANGER]);
      expect(await join(STRANGER, CONSOLE)).toMatchObject({ status: 'linked' });
    });

    it('are good for ten minutes, the newest of a person only, and for one of those who say it at once', async () => {
      const { clock, owners, say } = await setUp();
      const first = await owners.issueCode(partyOf(SLACK));
      const second = await owners.issueCode(partyOf(SLACK));
      expect(await say(first.code, DISCORD)).toEqual({ status: 'unknown' });
      for (const wrong of ['', 'ABCD', `${second.code}A`])
        expect(await say(wrong, DISCORD)).toEqual({ status: 'unknown' });
      await clock.advance(10 * 60_000);
      expect(second.expiresAt.equals(clock.now())).toBe(true);
      expect(await say(second.code, DISCORD)).toEqual({ status: 'unknown' });
      const third = await owners.issueCode(partyOf(SLACK));
      await clock.advance(10 * 60_000 - 1);
      const outcomes = await Promise.all([DISCORD, CONSOLE, STRANGER].map((one) => say(third.code, one)));
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['linked', 'unknown', 'unknown']);
      expect(await owners.identitiesOf(SLACK)).toHaveLength(2);
    });
  });
};
