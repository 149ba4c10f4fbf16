import { expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { calls } from '#test/support/broker.ts';
import { answer } from '#test/support/engine-app.ts';
import { pngOf } from '#test/support/pictures.ts';
import type { Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { inPortfolio, type PersonalTalk, personalTalk } from '#test/support/platforms/personal-talk.ts';
import { ECHO, eventually, type Talk } from '#test/support/platforms/talk.ts';

const CSV = {
  name: 'broker.csv',
  mimeType: 'text/csv',
  bytes: [
    'date,kind,symbol,quantity,price,fee',
    '2025-11-12,buy,NVDA,3,180,1',
    '2025-11-12,buy,=HYPERLINK("https://evil.example"),1,1,0',
  ].join('\n'),
};
/** A model reads it as the test says. */
const SCREEN = { name: 'holdings.png', mimeType: 'image/png', bytes: pngOf(40, 80) };
const READ = {
  kind: 'holdings',
  rows: [
    { code: 'NVDA', quantity: '3', averagePrice: '$180.00', cost: '$540.00' },
    { code: 'AAPL', quantity: '10', averagePrice: '$190.50', cost: '$1,905.00' },
  ],
  totals: [{ cost: '$2,445.00' }],
};
/** What only `ann` has. */
const HERS = /AVGO|Broadcom|NFLX|Netflix|7,?777/;
const IN_TERMINAL = /📎 \S+: \S+/;
const hasFile = ({ files, text }: Seen): boolean => files.length > 0 || IN_TERMINAL.test(text);

/** What a person does with their own things, in the way of their platform. */
export const personalCases = (kit: PlatformKit, talk: () => Talk): void => {
  const { can } = kit;
  const withRooms = it.runIf(can.rooms);
  const filesOf = ({ person, direct }: PersonalTalk): number =>
    talk().platform.seenBy(person, direct).filter(hasFile).length;

  /** A file is an option of the command where there are such, else it comes with the message. */
  const importInto = (
    person: PersonalTalk,
    wanted: RegExp,
    sent: typeof CSV | typeof SCREEN = CSV,
  ): Promise<Seen> => {
    if (!can.typedOptions) return person.type('/portfolio import', wanted, [sent]);
    const file = { ...sent, contentType: sent.mimeType } as unknown as string;
    return person.call('portfolio', { action: 'import', file }, wanted);
  };

  it.runIf(can.files)('records a screenshot of a broker’s app with the command and with words', async () => {
    const { claude } = talk();
    const uma = personalTalk(kit, talk(), 'uma');
    const read = calls({ name: 'fill_in_broker_screen', input: READ });
    claude.reply(read);
    await importInto(uma, /nothing is recorded yet[^]*add up to the totals/, SCREEN);
    claude.reply(read);
    const preview = await uma.type('import this', /nothing is recorded yet/, [SCREEN]);
    const confirm = /\/portfolio import confirm \w+ all/.exec(preview.text)?.[0] ?? '';
    await uma.choose(preview, /^Record all 2$/, confirm, /Recorded in .*main.*: .*2/);
    // In a terminal everybody is the same person.
    await uma.call('portfolio', { action: 'delete', details: 'main --yes' }, /main.* were deleted/);
  });

  it('keeps portfolios: records, sums up, takes back, imports, exports and deletes', async () => {
    const ann = personalTalk(kit, talk(), 'ann');
    await ann.call('portfolio', {}, /Nothing recorded yet/);
    const first = { action: 'add', symbol: 'AAPL', quantity: '10', price: '190.5', details: '--yes' };
    expect((await ann.call('portfolio', first, /Recorded #1 in .*main/)).text).toContain(
      'Bought 10 Apple (AAPL) at $190.50 = $1,905.00',
    );
    const sale = { action: 'sell', symbol: 'AAPL', quantity: '4', price: '200', details: '--yes' };
    await ann.call('portfolio', sale, /Profit on this sale: \+\$38\.00/);
    const dividend = { action: 'dividend', symbol: 'AAPL', amount: '12 USD' };
    const paid = await ann.call('portfolio', dividend, /Recorded #3/);
    await ann.choose(paid, /^Undo #3$/, '/portfolio undo 3', /Undone: #3 in .*main/);

    const summary = await ann.call('portfolio', {}, /Portfolio main/);
    for (const part of ['$1,634.46', '+$491.46', 'Yahoo Finance']) expect(summary.text).toContain(part);
    await eventually(
      () => filesOf(ann) === 1,
      () => talk().platform.seenBy(ann.person, ann.direct),
    );
    const realised = /Realised gain: \+\$38\.00/;
    await ann.choose(summary, /^Details$/, '/portfolio summary details', realised);
    const history = await ann.choose(summary, /^History$/, '/portfolio history', /main.* · 3 entries/);
    expect(history.text).toMatch(/#3.*taken back/);
    const figures = /Structure[^]*More figures come after/;
    await ann.choose(summary, /^Analysis$/, '/portfolio analysis', figures);

    const preview = await importInto(ann, /nothing is recorded yet/);
    expect(preview.text).toMatch(/Line 3: .*is a formula/);
    const confirm = /\/portfolio import confirm \w+ valid/.exec(preview.text)?.[0] ?? '';
    await ann.choose(preview, /^Record the valid one/, confirm, /Recorded in .*main.*: .*1/);
    await ann.call('portfolio', { action: 'export' }, /The transactions of .*main.*: 4/);
    await eventually(() => filesOf(ann) === 2);

    await ann.call('portfolio', { action: 'new', details: 'pension USD' }, /Created .*pension/);
    const second = { ...first, symbol: 'MSFT', ...inPortfolio(kit, 'pension') };
    await ann.call('portfolio', second, /Recorded #1 in .*pension/);
    await ann.call('portfolio', { action: 'list' }, /★ .*main[^]*pension/);
    const sure = await ann.call('portfolio', { action: 'delete', details: 'pension' }, /for good/);
    await ann.choose(sure, /^Delete pension$/, '/portfolio delete pension --yes', /pension.* were deleted/);
    expect((await ann.call('portfolio', { action: 'list' }, /Your portfolios/)).text).not.toContain(
      'pension',
    );
  });

  it('allows the model to record a trade that is told in exact words, and only then it is recorded', async () => {
    const { platform, claude } = talk();
    const ann = personalTalk(kit, talk(), 'ann');
    const input = { kind: 'buy', symbol: 'META', quantity: '2', price: '500.5', date: '2025-11-12' };
    claude.reply(calls({ name: 'record_transaction', input }), answer('It is in your records.'));
    const question = await ann.type('I bought 2 Meta at 500.5 a year ago', /Shall I do this/);
    expect(question.text).toContain(
      'Record a purchase: 2 Meta Platforms (META) at $500.50 = $1,001.00 · 2025-11-12',
    );
    const before = await ann.call('portfolio', { action: 'history' }, /./);
    expect(before.text).not.toContain('Meta Platforms');
    await ann.next(ann.direct, /It is in your records/, () =>
      can.buttons
        ? platform.press(ann.person, question, channelTexts('en').approve())
        : platform.say(ann.person, ann.direct, 'y'),
    );
    await ann.call('portfolio', { action: 'history' }, /Bought 2 Meta Platforms/);
  });

  it('reads in the question what is odd about a trade, and is not asked about an impossible one', async () => {
    const { platform, claude } = talk();
    const ann = personalTalk(kit, talk(), 'ann');
    const onSunday = { kind: 'buy', symbol: 'ORCL', quantity: '2', price: '240', date: '2025-11-09' };
    claude.reply(calls({ name: 'record_transaction', input: onSunday }), answer('Sunday it is.'));
    const question = await ann.type('I bought 2 Oracle at 240 on 9 November 2025', /Shall I do this/);
    expect(question.text).toMatch(/Sun 2025-11-09: weekend, .+ was closed\./);
    await ann.next(ann.direct, /Sunday it is/, () =>
      can.buttons
        ? platform.press(ann.person, question, channelTexts('en').approve())
        : platform.say(ann.person, ann.direct, 'sure'),
    );
    await ann.call('portfolio', { action: 'history' }, /Bought 2 Oracle/);
    const tooMany = { kind: 'sell', symbol: 'ORCL', quantity: '3', price: '240', date: '2025-11-12' };
    claude.reply(calls({ name: 'record_transaction', input: tooMany }), answer('You have only two.'));
    const told = await ann.type('I sold 3 Oracle at 240 on 12 November 2025', /Shall I do this|only two/);
    expect(told.text).toContain('You have only two.');
  });

  it('is asked which company is meant, and the answer is what is recorded', async () => {
    const minsu = personalTalk(kit, talk(), 'minsu', { locale: 'ko' });
    const trade = { action: 'add', symbol: '삼성', quantity: '5주', price: '71,000원', details: '--yes' };
    const question = await minsu.call('portfolio', trade, /어느 것인가요\?/);
    const recorded = /매수: 삼성전자 \(005930\) 5주 × ₩71,000 = ₩355,000/;
    await minsu.choose(question, /^삼성전자 /, '/portfolio add 005930 5주 71,000원 --yes', recorded);
    // What the fields of a form are called says nothing about the language.
    const plain = { action: 'add', symbol: '삼성전자', quantity: '10', price: '70000', details: '--yes' };
    await minsu.call('portfolio', plain, /기록했어요/);
    // Nor does a command that is typed: the platform knows.
    if (can.calls) await minsu.type('/portfolio history', /매수: 삼성전자/);
  });

  it('keeps a watchlist and a briefing', async () => {
    const minsu = personalTalk(kit, talk(), 'minsu', { locale: 'ko' });
    await minsu.call('watch', { action: 'add', names: '삼성전자, AAPL' }, /추가했어요: 삼성전자.*애플/);
    const shows = async (): Promise<string> => (await minsu.call('watch', {}, /₩102,300/)).text;
    expect(await shows()).toContain('$272.41');
    await minsu.call('watch', { action: 'remove', names: '애플' }, /애플 \(AAPL/);
    expect(await shows()).not.toContain('$272.41');
    await minsu.call('briefing', { time: '08:30', days: '평일' }, /평일 08:30에/);
    await minsu.call('briefing', { action: 'now' }, /브리핑[^]*S&P 500[^]*삼성전자/);
    const list = await minsu.call('briefing', {}, /08:30/);
    const id = /([a-z0-9]{6})`? · 평일/.exec(list.text)?.[1] ?? '';
    await minsu.choose(list, /08:30/, `/브리핑 삭제 ${id}`, /삭제했어요/);
    await minsu.call('briefing', {}, /없어요/);
  });

  it('hears an alert ring in the room where they set it so, with a quote, and puts it off or deletes it', async () => {
    const ann = personalTalk(kit, talk(), 'ann');
    const place = can.rooms ? talk().platform.addRoom('alerts') : ann.direct;
    const set = await ann.call('alert', { condition: 'BTC > 90000 usd here' }, /Alert set/, place);
    expect(set.isPrivate).toBe(true);
    const told = await talk().sees(ann.person, place, /🔔.*Bitcoin.*[^]*\$95,549\.15[^]*Yahoo Finance/);
    expect(told.cards).toBe(can.cards ? 1 : 0);
    expect(told.rings).toEqual(can.rooms ? [ann.person.id] : []);
    const id = /Alert `?(\w+)`?/.exec(told.text)?.[1] ?? '';
    if (can.rooms) {
      // All see it there, and its buttons work for one of them.
      const ben = personalTalk(kit, talk(), 'ben');
      expect(talk().platform.seenBy(ben.person, place)).toEqual([told]);
      const refused = await ben.choose(told, /^Delete$/, '', /for the person who asked/);
      expect(refused.isPrivate).toBe(true);
      await ben.type(`/alert delete ${id}`, /You have no alert/);
    }
    await ann.choose(told, /^Snooze 1 h$/, `/alert snooze ${id} 1h`, /Snoozed: .*until/);
    const list = await ann.call('alerts', {}, /Your alerts: 1 of/);
    await ann.choose(list, /^Delete BTC/, `/alert delete ${id}`, /Deleted: /);
    await ann.call('alerts', {}, /You have no alerts/);
  });

  withRooms('hears an alert in private unless they set it for the room, and can move it', async () => {
    const { platform, sees } = talk();
    const ann = personalTalk(kit, talk(), 'ann');
    const room = platform.addRoom('quiet');
    const set = await ann.call('alert', { condition: 'BTC > 90000 usd' }, /expect it by DM/, room);
    const told = await sees(ann.person, ann.direct, /🔔.*Bitcoin/);
    expect(told.rings).toEqual([ann.person.id]);
    expect(told.text).not.toMatch(/set by/);
    expect(platform.seenBy(ann.person, room).filter(({ isPrivate }) => !isPrivate)).toEqual([]);
    const far = await ann.call('alert', { condition: 'BTC > 1000000 usd --yes' }, /Alert set/, room);
    await ann.choose(far, /^Ring in this channel$/, '', /tell you here ⚠️ where others read it/);
    expect(set.buttons.map(({ label }) => label)).toEqual(['Ring in this channel', 'Delete']);
    await ann.type('/alert delete all --yes', /deleted|Deleted/i);
  });

  withRooms(
    'is not told in a room that they left: the alert ends, and they hear of it in private',
    async () => {
      const { platform, sees } = talk();
      const ann = personalTalk(kit, talk(), 'ann');
      const room = platform.addRoom('left');
      await ann.next(room, /Alert set/, () => {
        platform.call(ann.person, room, 'alert', { condition: 'BTC > 90000 usd here' });
        platform.leave(ann.person, room);
      });
      await sees(ann.person, ann.direct, /you left the channel[^]*Bitcoin/);
      expect(platform.seenBy(ann.person, room).filter(({ isPrivate }) => !isPrivate)).toEqual([]);
      await ann.call('alerts', {}, /You have no alerts/);
    },
  );

  withRooms('runs a server: lists what is set in a room, removes it, and its owner is told', async () => {
    const { platform, sees } = talk();
    const ann = personalTalk(kit, talk(), 'ann');
    const ben = personalTalk(kit, talk(), 'ben');
    const boss = platform.addPerson('manager', { runsServer: true });
    const room = platform.addRoom('watched');
    await ann.call('alert', { condition: 'AMZN > 90000' }, /far from the price/, room);
    await ann.call('alert', { condition: 'AMZN > 90000 here --yes' }, /Alert set/, room);
    await ben.call('alerts', { where: 'here' }, /Only server admins/, room);
    const here = { where: 'here' };
    platform.call(boss, room, 'alerts', here);
    const listed = await sees(boss, room, /Set in this channel: 1 alert/);
    expect(listed.isPrivate).toBe(true);
    expect(listed.text).toMatch(new RegExp(`set by (?:<@${ann.person.id}>|@ann)`));
    const id = /`(\w{6})` Amazon/.exec(listed.text)?.[1] ?? '';
    platform.call(boss, room, 'alerts', { ...here, remove: can.typedOptions ? id : `remove ${id}` });
    await sees(boss, room, /Removed: .*Amazon/);
    await sees(ann.person, ann.direct, /removed what you set in a channel[^]*Amazon/);
    await ann.call('alerts', {}, /You have no alerts/);
  });

  withRooms(
    'is alone with it in a room and a thread, called or typed, and the model hears of nothing',
    async () => {
      const { platform, sees, claude } = talk();
      const ann = personalTalk(kit, talk(), 'ann');
      const ben = personalTalk(kit, talk(), 'ben');
      await ann.call(
        'portfolio',
        { action: 'add', symbol: 'AVGO', quantity: '7', price: '100', details: '--yes' },
        /Recorded #1/,
      );
      await ann.call('watch', { action: 'add', names: 'NFLX' }, /Netflix/);
      const room = platform.addRoom('company');
      const { place: thread } = platform.callIntoThread(ann.person, room, 'hello');
      await sees(ann.person, thread, 'hello');
      for (const [command, values, wanted] of [
        ['portfolio', { action: 'history' }, /Broadcom/],
        ['watch', {}, /Netflix/],
        ['alerts', {}, /no alerts/],
        ['briefing', {}, /no briefings/],
        ['privacy', {}, /What I store/],
      ] as const)
        expect((await ann.call(command, values, wanted, room)).isPrivate, command).toBe(true);
      // Discord hides no answer to what was typed into a room: it goes to the direct chat.
      const hidden: Place = kit.name === 'discord' ? ann.direct : thread;
      for (const [words, wanted] of [
        ['/portfolio history', /Broadcom/],
        ['/watch', /Netflix/],
        ['/portfolio add AVGO 1 7777', /AVGO/],
      ] as const)
        await ann.next(hidden, wanted, () => platform.say(ann.person, thread, words, { mention: true }));

      const before = claude.history.length;
      for (const place of [room, thread]) {
        const asked = `what does she have in the ${place.kind}?`;
        platform.say(ben.person, place, asked, { mention: true });
        await sees(ben.person, place, `${ECHO}${asked}`);
        // Not the ids, which are times: one may have the digits of a price.
        const seen = platform
          .seenBy(ben.person, place)
          .map(({ id: _id, place: _place, ...message }) => message);
        expect(JSON.stringify(seen)).not.toMatch(HERS);
      }
      const requests = claude.history.slice(before);
      expect(requests).toHaveLength(2);
      const read = requests.map(({ body }) => JSON.stringify(body.messages)).join('\n');
      expect(read).not.toMatch(HERS);
    },
  );

  it('takes all of it along, and deletes all of it after a second word', async () => {
    const ann = personalTalk(kit, talk(), 'ann');
    await ann.call('watch', { action: 'add', names: 'AMZN' }, /Amazon/);
    await ann.call('alert', { condition: 'AMZN > 900' }, /Alert set/);
    const before = filesOf(ann);
    await ann.call('privacy', { action: 'export' }, /holds what I store about you/);
    await eventually(() => filesOf(ann) === before + 1);
    const sure = await ann.call('privacy', { action: 'delete' }, /This deletes for good/);
    await ann.choose(sure, /./, '/privacy delete --yes', /1 alert/);
    await ann.call('alerts', {}, /You have no alerts/);
    expect((await ann.call('watch', {}, /watchlist/i)).text).not.toContain('AMZN');
  });

  it('and the bot kept the manners of the platform all the while', () => {
    expect(talk().platform.offences()).toEqual([]);
  });
};
