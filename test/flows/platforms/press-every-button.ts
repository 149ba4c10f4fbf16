import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { createLeapingClock, type LeapingClock } from '#test/support/leaping-clock.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { Person, PlatformKit, Seen, SentFile } from '#test/support/platforms/driver.ts';
import { createPresses, expectOneEffect, pressable } from '#test/support/platforms/presses.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { eventually, startTalk, type Talk } from '#test/support/platforms/talk.ts';

/** Something that a person says to the bot and that is answered with buttons. */
interface Offer {
  readonly says: string;
  /** Default: the direct chat. In a room, others see the buttons. */
  readonly place?: 'room';
  /** Said first, so that there is something to show. */
  readonly first?: readonly string[];
  readonly file?: SentFile;
  /** Said before the press, so that it cannot work any more. */
  readonly spoiledBy?: string;
  /** The message with the buttons. Default: the first that has some. */
  readonly shows?: (seen: Seen) => boolean;
  /** Does what others beside it do, with another value: pressed by its owner, and not in every way. */
  readonly alike?: RegExp;
  /** Its buttons are there the first time alone. */
  readonly isOnce?: boolean;
}

const PUBLIC = '/price AAPL';
const BOUGHT = ['/portfolio buy AAPL 10 190.5 --yes', '/portfolio sell AAPL 4 200 --yes'];
const NO_PORTFOLIO = '/portfolio delete main --yes';
const CSV: SentFile = {
  name: 'broker.csv',
  mimeType: 'text/csv',
  bytes: 'date,kind,symbol,quantity,price,fee\n2025-11-12,buy,NVDA,3,180,1\n2025-11-12,buy,???,1,1,0',
};

const OFFERS: readonly Offer[] = [
  { says: PUBLIC, place: 'room' },
  { says: '/price 삼성', place: 'room' },
  { says: '/chart AAPL', place: 'room', alike: /^(?:5D|1M|6M|5Y|MACD|Bollinger)$/ },
  { says: '/market', place: 'room' },
  { says: '/crypto', place: 'room' },
  { says: '/search s', place: 'room' },
  { says: '/help', place: 'room' },
  { says: '/watch', first: ['/watch add AAPL'], spoiledBy: '/watch clear --yes' },
  { says: '/watch add MSFT', spoiledBy: '/watch clear --yes', isOnce: true },
  { says: '/watch clear', first: ['/watch add AAPL'], spoiledBy: '/watch clear --yes' },
  { says: '/alert AAPL', spoiledBy: '/alert delete all --yes' },
  { says: '/alert AAPL > 900 --yes', spoiledBy: '/alert delete all --yes' },
  { says: '/alerts', first: ['/alert AAPL > 900 --yes'], spoiledBy: '/alert delete all --yes' },
  { says: '/alert delete all', first: ['/alert AAPL > 900 --yes'], spoiledBy: '/alert delete all --yes' },
  { says: '/briefing 08:30 weekdays', spoiledBy: '/briefing delete all --yes' },
  { says: '/briefing list', first: ['/briefing 09:30 weekdays'], spoiledBy: '/briefing delete all --yes' },
  { says: BOUGHT[0] ?? '', spoiledBy: NO_PORTFOLIO },
  { says: '/portfolio', first: BOUGHT, spoiledBy: NO_PORTFOLIO },
  { says: '/portfolio delete main', first: BOUGHT, spoiledBy: NO_PORTFOLIO },
  { says: '/portfolio import', first: [NO_PORTFOLIO, ...BOUGHT], file: CSV, spoiledBy: NO_PORTFOLIO },
  { says: '/profile timezone' },
];

const KEEP = channelTexts('en').keep();
/** The holdings of the person who asks. */
const THEIRS = /1,?905|190\.5/;
const isWelcome = ({ text }: Seen): boolean => text.includes('Three things to try');

/** The welcome follows the first answer after a pause. */
const BEHIND_ANSWER_MS = 4_000;
const WELCOME: Offer = { says: 'AAPL', shows: isWelcome, isOnce: true };

/** Slack waits for a word about each of its own events, such as a sign that was taken away. */
const acknowledged = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

const unseen = ({ says }: Offer, fresh: readonly Seen[]): never => {
  throw new Error(`${says} offers nothing: ${JSON.stringify(fresh)}`);
};

/** Longer than an import waits for its press, than Discord takes answers to a press, and than anything is kept. */
const LONG_AFTER_MS = 100 * 24 * 3_600_000;

const SLACK_HASTE = 50;
const discord = (clock: LeapingClock): PlatformKit => ({
  ...discordKit,
  open: () => openDiscord({ now: () => clock.outside.now().epochMilliseconds }),
});
const slack = (clock: LeapingClock): PlatformKit => ({
  ...slackKit,
  open: () => openSlack({ clock: clock.outside }),
});

const ON = {
  Discord: { kitAt: discord, haste: 1 },
  Slack: { kitAt: slack, haste: SLACK_HASTE },
} as const;
const WORLDS = [
  { what: 'every button', config: {}, offers: OFFERS },
  { what: 'the welcome', config: { welcome: true, timeZone: undefined }, offers: [WELCOME] },
];

/** Presses all that can be pressed on this platform. Each is a file of its own, so that they run at once. */
export const pressEveryButton = (name: keyof typeof ON): void => {
  const { kitAt, haste } = ON[name];
  describe.for(WORLDS)(`$what on ${name}`, ({ config, offers }) => {
    const clock = createLeapingClock(haste);
    let started: Talk | undefined;
    const talk = (): Talk => {
      if (!started) throw new Error('The bot has not been started');
      return started;
    };
    beforeAll(async () => {
      started = await startTalk(kitAt(clock), { clock, config: () => config });
    });
    afterAll(() => started?.close());
    const { done, settled } = createPresses(talk);

    let people = 0;
    /** Somebody with what the offer needs, and a stranger in the same room. */
    const meet = async (offer: Offer) => {
      const { platform, sees } = talk();
      people += 1;
      const owner = platform.addPerson(`ann${people}`);
      const stranger = platform.addPerson(`bob${people}`);
      const place = offer.place === 'room' ? platform.addRoom(`r${people}`) : platform.direct(owner);
      const places = [place];
      const say = (words: string, files: readonly SentFile[] = []) =>
        done(owner, places, () =>
          platform.say(owner, place, words, { files, mention: offer.place === 'room' }),
        );
      const ask = async ({ isAgain = false } = {}): Promise<Seen> => {
        for (const words of isAgain ? [] : (offer.first ?? [])) await say(words);
        const { fresh } = await say(offer.says, offer.file ? [offer.file] : []);
        if (offer.shows) {
          clock.hurryOn(BEHIND_ANSWER_MS);
          await sees(owner, place, offer.shows);
          return (await settled(owner, places)).find(offer.shows) ?? unseen(offer, fresh);
        }
        return fresh.find((seen) => pressable(seen).length > 0) ?? unseen(offer, fresh);
      };
      const now = (seen: Seen): Seen | undefined =>
        platform.seenBy(owner, place).find(({ id }) => id === seen.id);
      const press = async (by: Person, seen: Seen, label: string) =>
        done(by, places, () => platform.press(by, seen, label));
      return { owner, stranger, say, ask, now, press };
    };

    it.each(offers)('has one effect, however often it is pressed: $says', async (offer) => {
      let scene = await meet(offer);
      let shown = await scene.ask();
      for (const label of pressable(shown)) {
        const isThere = (): boolean => pressable(scene.now(shown) ?? shown).includes(label);
        if (!scene.now(shown) || !isThere()) {
          if (offer.isOnce) scene = await meet(offer);
          shown = await scene.ask();
        }
        const { owner, stranger, press, now } = scene;
        if (offer.place === 'room' && !offer.alike?.test(label)) {
          const outcome = await press(stranger, shown, label);
          expectOneEffect(`${label} by a stranger`, shown, outcome);
          expect.soft(outcome.changed, `${label} by a stranger`).toEqual([]);
          expect.soft(outcome.fresh.map(({ text }) => text).join()).not.toMatch(THEIRS);
        }
        for (const which of ['first', 'second', 'third']) {
          const current = now(shown);
          if (!current || !isThere()) break;
          if (which !== 'first' && offer.alike?.test(label)) break;
          const isQuestion = pressable(current).includes(KEEP);
          if (which === 'third' && !isQuestion) break;
          expectOneEffect(`${label}, ${which} press`, current, await press(owner, current, label));
        }
      }
    });

    it.each(['a restart', 'a hundred days'])('has one effect after %s', async (what) => {
      const waiting = [];
      // What a public answer offers does not depend on anything that is kept, so one stands for all of them after a restart.
      const isMeant = ({ says, place }: Offer): boolean =>
        place !== 'room' || (what === 'a restart' && says === PUBLIC);
      for (const offer of offers.filter(isMeant)) {
        let { owner, ask, press } = await meet(offer);
        let shown = await ask();
        for (const label of pressable(shown)) {
          if (offer.alike?.test(label)) continue;
          waiting.push({ what: `${offer.says} ${label}`, shown, label, owner, press });
          // Others can be pressed one after the other.
          if (offer.place === 'room') continue;
          if (offer.isOnce) ({ owner, ask, press } = await meet(offer));
          shown = await ask({ isAgain: true });
        }
      }
      if (what === 'a restart') await talk().restart();
      else {
        const purged = talk().count('retention:purge');
        await acknowledged();
        clock.leap(LONG_AFTER_MS);
        await eventually(() => talk().count('retention:purge') > purged);
      }
      const { platform } = talk();
      for (const { what: which, shown, label, owner, press } of waiting) {
        const current = platform.seenBy(owner, shown.place).find(({ id }) => id === shown.id);
        if (current && pressable(current).includes(label))
          expectOneEffect(which, current, await press(owner, current, label));
      }
    });

    it.runIf(offers === OFFERS)('says one sentence when it cannot work any more', async () => {
      for (const offer of offers) {
        if (offer.spoiledBy === undefined) continue;
        const { owner, say, ask, now, press } = await meet(offer);
        const labels = pressable(await ask());
        for (const label of labels) {
          await say(offer.spoiledBy);
          const shown = await ask();
          await say(offer.spoiledBy);
          for (let presses = 0; presses < 2; presses += 1) {
            const current = now(shown);
            if (!current || !pressable(current).includes(label)) break;
            if (presses === 1 && !pressable(current).includes(KEEP)) break;
            expectOneEffect(`${offer.says} ${label}`, current, await press(owner, current, label));
          }
        }
      }
    });

    it('and nothing went wrong meanwhile', () => {
      const { log, platform } = talk();
      expect(log.filter((line) => /"level":"error"/u.test(line))).toEqual([]);
      expect(platform.offences()).toEqual([]);
    });
  });
};
