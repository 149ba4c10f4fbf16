import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/fakes/slack/api.ts';
import { type LiveMarket, openLiveMarket } from '#test/support/live-market.ts';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import type { Person } from '#test/support/platforms/driver.ts';
import { openSlack, slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { startTalk, type Talk } from '#test/support/platforms/talk.ts';

const WAIT = { timeoutMs: 10_000 };

const clock = createLeapingClock();
/** The bot waits for the market a second in each of these. */
const HURRY_EVERY_MS = 100;
let market: LiveMarket;
let platform: SlackPlatform;
let talk: Talk;

beforeAll(async () => {
  market = await openLiveMarket();
  platform = await openSlack();
  talk = await startTalk({ ...slackKit, open: async () => platform }, { env: market.env, clock });
});
afterAll(async () => {
  await talk.close();
  await market.close();
});

/** All texts of the person's home tab. */
const homeOf = ({ id }: Person): string => JSON.stringify(platform.fake.homeOf(id)?.view ?? {});

const shows = (person: Person, ...texts: readonly (string | RegExp)[]): Promise<void> =>
  platform.fake.until(() => texts.every((text) => homeOf(person).search(text) >= 0), {
    ...WAIT,
    what: `${texts.join(', ')} in ${homeOf(person)}`,
  });

const labelled =
  (label: string) =>
  ({ text }: Json): boolean =>
    (text as Json | undefined)?.['text'] === label;

const type = (person: Person, text: string) =>
  platform.fake.command(person.id, platform.direct(person).id, '/finclaw', text);

describe('the home tab of a person on Slack', () => {
  it('starts with what they can do, and follows what they record, watch and set without being opened again', async () => {
    const { fake } = platform;
    const ann = platform.addPerson('ann', { timeZone: 'America/New_York' });
    const bob = platform.addPerson('bob');
    fake.openHome(ann.id);
    await shows(
      ann,
      'You have no alerts',
      '/finclaw portfolio',
      'America/New_York',
      'from your Slack profile',
    );
    fake.openHome(bob.id);
    type(ann, 'portfolio buy AAPL 10 100 --yes');
    type(ann, 'watch MSFT');
    type(ann, 'alert AAPL > 99999 --yes');
    // With value, source and time of the data.
    await shows(ann, /Apple[^"]*\(AAPL\)\*? · 10 · /, /\(MSFT\)\*? · \$/, /99,999/, 'Yahoo Finance');
    // An example of what can be recorded names MSFT too.
    expect(homeOf(bob)).not.toMatch(/99,999|\((?:MSFT|AAPL)\)/);

    // The press is answered on the page, and nothing is written beside it.
    const direct = platform.direct(ann).id;
    const before = fake.botMessagesIn(direct).length;
    fake.pressHome(ann.id, labelled('Delete'));
    await shows(ann, 'You have no alerts');
    expect(homeOf(ann)).toMatch(/Deleted|deleted|Removed|removed/);
    expect(fake.botMessagesIn(direct)).toHaveLength(before);

    const pressed = fake.pressHome(ann.id, labelled('New alert'));
    await fake.until(() => fake.viewOf(pressed) !== undefined, WAIT);
    const form = fake.viewOf(pressed);
    if (!form) throw new Error('no form was opened');
    fake.submitView(ann.id, form, { question: { value: 'MSFT > 88888 --yes' } });
    await shows(ann, /88,888/);

    fake.pressHome(ann.id, labelled('한국어'));
    await shows(ann, '포트폴리오', '관심 종목', '새로고침');
    // After a restart the buttons of the page still work.
    await talk.stop();
    await talk.start();
    fake.pressHome(ann.id, labelled('삭제'));
    await shows(ann, '설정한 알림이 없습니다');
    expect(platform.offences()).toEqual([]);
  }, 60_000);

  it('follows changes after a restart, and shows nothing of what was deleted', async () => {
    const { fake } = platform;
    const dan = platform.addPerson('dan');
    const eve = platform.addPerson('eve');
    fake.openHome(dan.id);
    await shows(dan, 'You have no alerts');
    type(dan, 'alert AAPL > 77777 --yes');
    await shows(dan, /77,777/);
    await talk.stop();
    await talk.start();
    type(dan, 'alert AAPL > 66666 --yes');
    type(eve, 'alert AAPL > 55555 --yes');
    await shows(dan, /66,666/);
    await talk.stop();
    await talk.start();
    type(dan, 'privacy delete --yes');
    await shows(dan, 'You have no alerts');
    expect(homeOf(dan)).not.toMatch(/77,777|66,666/);
    expect(fake.homeOf(eve.id)).toBeUndefined();
  }, 60_000);

  it('is there although the market is slow, and has the prices later', async () => {
    const { fake } = platform;
    const kim = platform.addPerson('kim', { locale: 'ko' });
    fake.openHome(kim.id);
    await shows(kim, '설정한 알림이 없습니다');
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    for (const endpoint of ['quote', 'chart'] as const)
      market.yahoo.failAlways(endpoint, { kind: 'wait', until });
    type(kim, 'watch add NVDA');
    await talk.sees(kim, platform.direct(kim), /추가했어요/);
    const hurrying = setInterval(() => clock.hurryOn(1_000), HURRY_EVERY_MS);
    try {
      await shows(kim, '오래 걸립니다', /NVDA/);
      for (const endpoint of ['quote', 'chart'] as const) market.yahoo.failAlways(endpoint, null);
      release();
      await shows(kim, /NVDA\)\*? · \$/);
    } finally {
      clearInterval(hurrying);
    }
  }, 30_000);
});
