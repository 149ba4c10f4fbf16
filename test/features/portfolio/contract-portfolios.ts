import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { asId, type ChannelId, type OwnerId, type PortfolioId, type UserId } from '#src/kernel/ids.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { createOwnerStore, ownOwnerId } from '#src/people/store/owners.ts';
import { createPortfolioStore } from '#src/features/portfolio/store/store.ts';
import type { Decision } from '#src/features/portfolio/store/record.ts';
import { deciding } from '#test/support/decide.ts';
import type { TestStorage } from '#test/support/database.ts';
import { linkPeople } from '#test/support/link-people.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const I = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };
const YOU = { ...I, userId: asId<UserId>('U2') };
const [ME, OTHER] = [ownOwnerId(I), ownOwnerId(YOU)];
const DAY = Temporal.PlainDate.from('2026-11-13');
const dec = (text: string): Decimal => new Decimal(text);

const SAMSUNG: Instrument = {
  symbol: '005930.KS',
  ticker: '005930',
  name: { ko: '삼성전자', en: 'Samsung "Electronics"' },
  exchange: 'KRX',
  assetClass: 'equity',
  currency: 'KRW',
  priceDecimals: 0,
};

const trade = (clientId: string, quantity: string, kind: 'buy' | 'sell' = 'buy'): NewTransaction => ({
  kind,
  clientId,
  date: DAY,
  currency: 'KRW',
  instrument: SAMSUNG,
  quantity: dec(quantity),
  price: dec('70000'),
  fee: dec('0'),
  tax: dec('0'),
});

const TARGETS = [{ instrument: SAMSUNG, percent: dec('62.5') }, { percent: dec('37.5') }];

/** One of each kind, with numbers that a float would lose. */
const KINDS: readonly NewTransaction[] = [
  {
    ...trade('a', '0.000000000000000001'),
    rate: dec('1382.123456789012345678'),
    note: '메모 "x"\n=1+1',
  },
  trade('b', '123456789012345.123456789012345678', 'sell'),
  {
    kind: 'dividend',
    clientId: 'c',
    date: DAY,
    currency: 'USD',
    instrument: SAMSUNG,
    amount: dec('1e30'),
    tax: dec('0.1'),
  },
  { kind: 'fee', clientId: 'd', date: DAY, currency: 'USD', amount: dec('0.30') },
  { kind: 'split', clientId: 'e', date: DAY, currency: 'KRW', instrument: SAMSUNG, ratio: dec('0.1') },
  { kind: 'deposit', clientId: 'f', date: DAY, currency: 'KRW', amount: dec('100') },
  { kind: 'withdrawal', clientId: 'g', date: DAY.subtract({ days: 1 }), currency: 'KRW', amount: dec('1') },
  {
    kind: 'fx',
    clientId: 'h',
    date: DAY,
    currency: 'USD',
    amount: dec('100'),
    toAmount: dec('138000.5'),
    toCurrency: 'KRW',
    toRate: dec('1'),
  },
];

/** Comparable by value: temporal things and decimals as text, and what they are. */
const plain = (entry: NewTransaction): unknown =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]: [string, unknown]) => [
      name,
      Decimal.isDecimal(value)
        ? ['decimal', value.toFixed()]
        : value instanceof Temporal.PlainDate
          ? ['day', String(value)]
          : value,
    ]),
  );

const newPart = ({
  id: _1,
  portfolioId: _2,
  number: _3,
  recordedAt: _4,
  isReversed: _5,
  ...entry
}: Transaction) => entry;

const heldOf = (entries: readonly Transaction[]): Decimal =>
  entries.reduce(
    (sum, entry) =>
      entry.kind === 'buy'
        ? sum.plus(entry.quantity)
        : entry.kind === 'sell'
          ? sum.minus(entry.quantity)
          : sum,
    dec('0'),
  );

const sellUnlessOversold =
  (clientId: string, quantity: string) =>
  (existing: readonly Transaction[]): Decision<string> =>
    heldOf(existing).lessThan(quantity)
      ? { refused: `${heldOf(existing).toFixed()} held` }
      : { append: [trade(clientId, quantity, 'sell')] };

const see = (existing: readonly Transaction[], { allowsShort }: PortfolioRecord): string =>
  `${existing.length} ${allowsShort}`;

/** The part of the contract about portfolios and their ledgers. */
export const describePortfoliosContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage, reopen } = await open();
    const clock = new ManualClock();
    const store = createPortfolioStore(storage, clock);
    const create = async (person: PersonRef, portfolio = 'main'): Promise<PortfolioId> => {
      const created = await store.create(person, { name: portfolio, baseCurrency: 'KRW' });
      if (!created) throw new Error('The name is taken');
      return created.id;
    };
    const append = (owner: OwnerId, id: PortfolioId, entries: readonly NewTransaction[]) =>
      store.record(
        owner,
        id,
        entries.map(({ clientId }) => clientId),
        deciding(() => ({ append: entries })),
      );
    return { storage, reopen, clock, store, create, append };
  };

  describe(`portfolios on ${name}`, () => {
    it('are their owner’s alone, the oldest first; the first is the default until another is chosen or it goes', async () => {
      const { store, create } = await setUp();
      const ids = [await create(I), await create(I, '연금'), await create(I, 'c')] as const;
      await create(YOU);
      const shown = async () =>
        (await store.list(ME)).map(({ name, isDefault }) => name + (isDefault ? '*' : ''));
      expect(await shown()).toEqual(['main*', '연금', 'c']);
      expect(await store.create(I, { name: 'MAIN', baseCurrency: 'USD' })).toBeUndefined();
      const outcomes = [
        await store.configure(ME, ids[1], { isDefault: true, costMethod: 'fifo', targets: TARGETS }),
        await store.configure(OTHER, ids[2], { isDefault: true, allowsShort: true }),
      ];
      expect(outcomes).toEqual([{ status: 'done' }, { status: 'gone' }]);
      expect(await shown()).toEqual(['main', '연금*', 'c']);
      expect((await store.list(ME))[1]).toMatchObject({
        costMethod: 'fifo',
        allowsShort: false,
        ownerId: ME,
        targets: TARGETS,
      });
      await store.configure(ME, ids[1], { targets: [] });
      expect((await store.list(ME))[1]?.targets).toEqual([]);
      expect([await store.remove(OTHER, ids[1]), await store.remove(ME, ids[1])]).toEqual([false, true]);
      expect(await shown()).toEqual(['main*', 'c']);
      expect((await store.list(OTHER)).map(({ isDefault }) => isDefault)).toEqual([true]);
    });

    it('give every kind of entry back as it was, to the last digit, also after a restart', async () => {
      const { storage, reopen, clock, create, append } = await setUp();
      const id = await create(I);
      const recorded = await append(ME, id, KINDS);
      const again = createPortfolioStore(await storage.close().then(reopen), clock);
      const found = await again.transactions(ME, id);
      expect(found.map(newPart).map(plain)).toStrictEqual(KINDS.map(plain));
      expect(found.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      if (recorded.status !== 'recorded') throw new Error(recorded.status);
      expect(recorded.transactions.map(plain)).toEqual(found.map(plain));
      expect(found[0]?.recordedAt.equals(clock.now())).toBe(true);
      expect(await again.transactions(OTHER, id)).toEqual([]);
    });

    it('record what is told twice once, whatever else comes with it', async () => {
      const { store, create, append } = await setUp();
      const [id, second] = [await create(I), await create(I, 'second')];
      await append(ME, id, [trade('a', '1'), trade('b', '2')]);
      const asked = await store.record(ME, id, ['b'], () => {
        throw new Error('It is known: nobody has to be asked');
      });
      expect(asked).toMatchObject({ status: 'repeated', transactions: [{ clientId: 'b', number: 2 }] });
      const more = await append(ME, id, [trade('b', '9'), trade('c', '3'), trade('c', '4')]);
      expect(more).toMatchObject({ status: 'recorded', transactions: [{ clientId: 'c', number: 3 }] });
      expect(await append(ME, second, [trade('a', '1')])).toMatchObject({ status: 'recorded' });
      expect((await store.transactions(ME, id)).map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(heldOf(await store.transactions(ME, id)).toFixed()).toBe('6');
    });

    it('store nothing of what is refused, fails, or is somebody else’s', async () => {
      const { store, create, append } = await setUp();
      const id = await create(I);
      await append(ME, id, [trade('a', '1')]);
      expect(await store.record(ME, id, ['b'], deciding(sellUnlessOversold('b', '2')))).toEqual({
        status: 'refused',
        refusal: '1 held',
      });
      expect(await append(OTHER, id, [trade('c', '1')])).toEqual({ status: 'gone' });
      const failing = store.record(ME, id, ['d'], () => {
        throw new Error('a bug');
      });
      await expect(failing).rejects.toThrow('a bug');
      expect(await store.transactions(ME, id)).toHaveLength(1);
    });

    it('take an entry back by another one: it is marked, counts no more, and its number stays its own', async () => {
      const { store, create, append } = await setUp();
      const [id, other] = [await create(I), await create(YOU)];
      await append(ME, id, [trade('a', '1'), trade('b', '2')]);
      await append(OTHER, other, [trade('a', '1')]);
      const [first] = await store.transactions(ME, id);
      const [foreign] = await store.transactions(OTHER, other);
      if (!first || !foreign) throw new Error('Nothing was recorded');
      const undo = () =>
        store.record(
          ME,
          id,
          ['undo'],
          deciding(() => ({ reverse: [first.id], clientId: 'undo' })),
        );
      expect(await undo()).toMatchObject({
        status: 'reversed',
        transactions: [{ number: 1, isReversed: true }],
      });
      expect(await undo()).toMatchObject({
        status: 'repeated',
        transactions: [{ number: 1, isReversed: true }],
      });
      for (const reverse of [first.id, foreign.id])
        await expect(
          store.record(
            ME,
            id,
            ['x'],
            deciding(() => ({ reverse: [reverse], clientId: 'x' })),
          ),
        ).rejects.toThrow('reversed');
      let seen: readonly Transaction[] = [];
      await store.record(
        ME,
        id,
        ['c'],
        deciding((existing) => {
          seen = existing;
          return { append: [trade('c', '3')] };
        }),
      );
      expect(seen.map(({ number }) => number)).toEqual([2]);
      expect(
        (await store.transactions(ME, id)).map(({ number, isReversed }) => [number, isReversed]),
      ).toEqual([
        [1, true],
        [2, false],
        [4, false],
      ]);
      expect((await store.transactions(OTHER, other)).map(({ isReversed }) => isReversed)).toEqual([false]);
    });

    it('never sell the same pieces twice, however many sales come at once', async () => {
      const { store, create, append } = await setUp();
      const id = await create(I);
      await append(ME, id, [trade('a', '10')]);
      const sales = Array.from({ length: 6 }, (_, index) =>
        store.record(ME, id, [`s${index}`], deciding(sellUnlessOversold(`s${index}`, '4'))),
      );
      const outcomes = (await Promise.all(sales)).map(({ status }) => status);
      expect(outcomes.filter((status) => status === 'recorded')).toHaveLength(2);
      expect(outcomes.filter((status) => status === 'refused')).toHaveLength(4);
      expect((await store.transactions(ME, id)).map(({ number }) => number)).toEqual([1, 2, 3]);
    });

    it('are opened once by somebody who has none, and are whose they are at that moment', async () => {
      const { storage, clock, store } = await setUp();
      const first = { name: 'main', baseCurrency: 'KRW' };
      const opened = await Promise.all([1, 2, 3].map(() => store.openFirst(I, first)));
      expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(opened.map(({ portfolio }) => portfolio.id)).size).toBe(1);
      const owners = createOwnerStore(storage, clock);
      await linkPeople(owners, I, YOU);
      expect(await store.openFirst(YOU, first)).toMatchObject({ isNew: false, portfolio: { ownerId: ME } });
      expect(await store.create(YOU, { ...first, name: 'second' })).toMatchObject({ ownerId: ME });
      expect(await store.list(OTHER)).toEqual([]);
    });

    it('are decided on as they are at that moment, by their entries and by their settings', async () => {
      const { store, create, append } = await setUp();
      const id = await create(I);
      await append(ME, id, [trade('a', '10')]);
      /** By what each of them decided in the end: who is overtaken is asked again. */
      const seen = { byChange: '', byRecord: '' };
      await Promise.all([
        store.configure(ME, id, { allowsShort: true }, function* (...asked) {
          yield;
          seen.byChange = see(...asked);
          return undefined;
        }),
        store.record(ME, id, ['b'], function* (...asked) {
          yield;
          seen.byRecord = see(...asked);
          return { append: [trade('b', '1')] };
        }),
      ]);
      // Whichever comes first, the other one sees it.
      expect([
        { byChange: '1 true', byRecord: '1 true' },
        { byChange: '2 true', byRecord: '1 false' },
      ]).toContainEqual(seen);
      const refused = await store.configure(ME, id, { allowsShort: false }, function* () {
        yield;
        return 'no';
      });
      expect(refused).toEqual({ status: 'refused', refusal: 'no' });
      expect((await store.list(ME))[0]).toMatchObject({ allowsShort: true });
    });

    it('go with their whole ledger', async () => {
      const { storage, store, create, append } = await setUp();
      const [id, kept] = [await create(I), await create(I, 'kept')];
      await append(ME, id, [trade('a', '1')]);
      await append(ME, kept, [trade('a', '1')]);
      const code = await store.keepImport(ME, id, '[]', new ManualClock().now().add({ hours: 1 }));
      const split = { symbol: 'AAPL', kind: 'split', date: '2020-08-31' };
      for (const each of [id, id, kept]) expect(await store.dismiss(ME, each, [split])).toBe(true);
      expect(await store.dismiss(OTHER, kept, [{ ...split, symbol: 'NVDA' }])).toBe(false);
      expect([await store.dismissed(ME, kept), await store.dismissed(OTHER, kept)]).toEqual([[split], []]);
      await store.remove(ME, id);
      expect(await storage.db.selectFrom('dismissed_actions').select('portfolio_id').execute()).toEqual([
        { portfolio_id: kept },
      ]);
      expect(await append(ME, id, [trade('b', '1')])).toEqual({ status: 'gone' });
      expect(await store.pendingImport(ME, code)).toBeUndefined();
      const left = await storage.db.selectFrom('transactions').select('portfolio_id').execute();
      expect(left).toEqual([{ portfolio_id: kept }]);
    });

    it('keep the last five files of a person that wait for their word, and those of others', async () => {
      const { clock, store } = await setUp();
      const keep = async (owner: typeof ME): Promise<string> => {
        await clock.advance(1_000);
        return store.keepImport(owner, undefined, '[]', clock.now().add({ minutes: 30 }));
      };
      const theirs = await keep(OTHER);
      const codes: string[] = [];
      for (let file = 0; file < 7; file += 1) codes.push(await keep(ME));
      const found = await Promise.all(codes.map((code) => store.pendingImport(ME, code)));
      expect(found.map((each) => each !== undefined)).toEqual([false, false, true, true, true, true, true]);
      expect(await store.pendingImport(OTHER, theirs)).toBeDefined();
    });

    it('keep what was read from a file for the one who sent it, for a time, and what became of it', async () => {
      const { clock, store, create } = await setUp();
      const id = await create(I);
      const code = await store.keepImport(ME, id, '{"rows":["=1"]}', clock.now().add({ minutes: 30 }));
      expect(code).toMatch(/^[A-HJ-KM-NP-Z2-9]{6}$/);
      const kept = { portfolioId: id, content: '{"rows":["=1"]}' };
      expect(await store.pendingImport(ME, ` ${code.toLowerCase()}`)).toEqual(kept);
      expect(await store.pendingImport(OTHER, code)).toBeUndefined();
      await store.endImport(OTHER, code, 'ended');
      await clock.advance(30 * 60_000 - 1);
      expect(await store.pendingImport(ME, code)).toEqual(kept);
      await clock.advance(1);
      expect(await store.pendingImport(ME, code)).toBeUndefined();
      const second = await store.keepImport(ME, undefined, '[]', clock.now().add({ minutes: 30 }));
      expect(await store.pendingImport(ME, second)).toEqual({ portfolioId: undefined, content: '[]' });
      await store.endImport(ME, second, 'ended');
      expect(await store.pendingImport(ME, second)).toEqual({ portfolioId: undefined, content: 'ended' });
    });
  });
};
