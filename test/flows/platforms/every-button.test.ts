import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { type Clock, systemClock } from '#src/platform/clock.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { Person, Place, Seen, SentFile } from '#test/support/platforms/driver.ts';
import { patientSlackKit } from '#test/support/platforms/patient-slack.ts';
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
}

const BOUGHT = ['/portfolio buy AAPL 10 190.5 --yes', '/portfolio sell AAPL 4 200 --yes'];
const NO_PORTFOLIO = '/portfolio delete main --yes';
const CSV: SentFile = {
  name: 'broker.csv',
  mimeType: 'text/csv',
  bytes: 'date,kind,symbol,quantity,price,fee\n2025-11-12,buy,NVDA,3,180,1\n2025-11-12,buy,???,1,1,0',
};

const OFFERS: readonly Offer[] = [
  { says: '/price AAPL', place: 'room' },
  { says: '/price 삼성', place: 'room' },
  { says: '/chart AAPL', place: 'room' },
  { says: '/market', place: 'room' },
  { says: '/crypto', place: 'room' },
  { says: '/search s', place: 'room' },
  { says: '/help', place: 'room' },
  { says: '/watch', first: ['/watch add AAPL'], spoiledBy: '/watch clear --yes' },
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

/** Slack takes a message a second in a chat. Nobody waits for that here. */
const hurried: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs / 50, callback),
};

const KEEP = channelMessages('en').keep();
const THUMBS: ReadonlySet<string> = new Set(['👍', '👎']);
/** The holdings of the person who asks. */
const THEIRS = /1,?905|190\.5/;

/** What can be read beside the labels of the buttons, which are part of the text on Slack. */
const wordsIn = (text: string, { buttons }: Seen): string =>
  buttons.reduce((rest, { label }) => rest.replaceAll(label, ''), text).replaceAll(/[\s[\]·|]/gu, '');

const pressable = ({ buttons }: Seen): readonly string[] =>
  buttons.filter(({ isEnabled, label }) => isEnabled && !THUMBS.has(label)).map(({ label }) => label);

const drawn = (seen: Seen): string => JSON.stringify([seen.text, seen.buttons, seen.files]);

describe.for([discordKit, patientSlackKit])('every button on $name', (kit) => {
  let started: Talk | undefined;
  const talk = (): Talk => {
    if (!started) throw new Error('The bot has not been started');
    return started;
  };
  beforeAll(async () => {
    started = await startTalk(kit, kit.name === 'slack' ? { clock: hurried } : {});
  });
  afterAll(() => started?.close());

  /** All that the person sees in these places when the bot has done what it was asked. */
  const settled = async (person: Person, places: readonly Place[]): Promise<readonly Seen[]> => {
    const look = (): readonly Seen[] => places.flatMap((place) => talk().platform.seenBy(person, place));
    let last = '';
    await eventually(() => {
      const { count } = talk();
      const now = JSON.stringify([look().map(drawn), count('inbox:accept'), count('delivery:sent')]);
      const isStill = now === last && !look().some(({ isUnderWay }) => isUnderWay);
      last = now;
      return isStill && count('pipeline:complete') + count('pipeline:error') >= count('pipeline:start');
    });
    return look();
  };

  /** Does something, and resolves when the bot has answered it. */
  const done = async (person: Person, places: readonly Place[], act: () => unknown) => {
    const before = await settled(person, places);
    const shown = new Map(before.map((seen) => [seen.id, drawn(seen)]));
    const { count } = talk();
    const answered = count('pipeline:complete');
    act();
    const isChanged = (seen: Seen): boolean => shown.get(seen.id) !== drawn(seen);
    await eventually(
      () =>
        count('pipeline:complete') > answered ||
        places.some((place) => talk().platform.seenBy(person, place).some(isChanged)),
    );
    const after = await settled(person, places);
    return {
      fresh: after.filter(({ id }) => !shown.has(id)),
      changed: after.filter((seen) => shown.has(seen.id) && isChanged(seen)),
      isAnswered: count('pipeline:complete') > answered,
    };
  };

  let people = 0;
  /** Somebody with what the offer needs, and a stranger in the same room. */
  const meet = async (offer: Offer) => {
    const { platform } = talk();
    people += 1;
    const owner = platform.addPerson(`ann${people}`);
    const stranger = platform.addPerson(`bob${people}`);
    const place = offer.place === 'room' ? platform.addRoom(`r${people}`) : platform.direct(owner);
    const places = [place];
    const say = (words: string, files: readonly SentFile[] = []) =>
      done(owner, places, () =>
        platform.say(owner, place, words, { files, mention: offer.place === 'room' }),
      );
    const ask = async (): Promise<Seen> => {
      for (const words of offer.first ?? []) await say(words);
      const { fresh } = await say(offer.says, offer.file ? [offer.file] : []);
      const found = fresh.find((seen) => pressable(seen).length > 0);
      if (!found) throw new Error(`${offer.says} offers nothing: ${JSON.stringify(fresh)}`);
      return found;
    };
    const now = (seen: Seen): Seen | undefined =>
      platform.seenBy(owner, place).find(({ id }) => id === seen.id);
    const press = async (by: Person, seen: Seen, label: string) =>
      done(by, places, () => platform.press(by, seen, label));
    return { owner, stranger, say, ask, now, press };
  };

  /** One new message, or the pressed one has changed; a used one may lose its buttons beside a new one. */
  const expectOneEffect = (
    what: string,
    pressed: Seen,
    { fresh, changed, isAnswered }: Awaited<ReturnType<typeof done>>,
  ): void => {
    const texts = JSON.stringify(fresh.map(({ text }) => text));
    expect.soft(fresh.length, `${what}: ${texts}`).toBeLessThanOrEqual(1);
    expect
      .soft(
        changed.every(({ id }) => id === pressed.id),
        what,
      )
      .toBe(true);
    const isReplaced = changed.some(({ text }) => wordsIn(text, pressed) !== wordsIn(pressed.text, pressed));
    expect.soft(fresh.length === 1 && isReplaced, `${what}: answered twice`).toBe(false);
    // What is shown again as it was has been answered too.
    expect.soft(fresh.length + changed.length > 0 || isAnswered, `${what}: nothing happened`).toBe(true);
  };

  it.each(OFFERS)('has one effect, however often it is pressed: $says', async (offer) => {
    const { owner, stranger, ask, now, press } = await meet(offer);
    let shown = await ask();
    for (const label of pressable(shown)) {
      const isThere = (): boolean => pressable(now(shown) ?? shown).includes(label);
      if (!now(shown) || !isThere()) shown = await ask();
      if (offer.place === 'room') {
        const outcome = await press(stranger, shown, label);
        expectOneEffect(`${label} by a stranger`, shown, outcome);
        expect.soft(outcome.changed, `${label} by a stranger`).toEqual([]);
        expect.soft(outcome.fresh.map(({ text }) => text).join()).not.toMatch(THEIRS);
      }
      for (const which of ['first', 'second', 'third']) {
        const current = now(shown);
        if (!current || !isThere()) break;
        const isQuestion = pressable(current).includes(KEEP);
        if (which === 'third' && !isQuestion) break;
        expectOneEffect(`${label}, ${which} press`, current, await press(owner, current, label));
      }
    }
  });

  it('has one effect after a restart', async () => {
    const waiting = [];
    for (const offer of OFFERS) {
      const { owner, ask, press } = await meet(offer);
      let shown = await ask();
      for (const label of pressable(shown)) {
        waiting.push({ what: `${offer.says} ${label}`, shown, label, owner, press });
        // Others can be pressed one after the other.
        if (offer.place !== 'room') shown = await ask();
      }
    }
    await talk().restart();
    const { platform } = talk();
    for (const { what, shown, label, owner, press } of waiting) {
      const current = platform.seenBy(owner, shown.place).find(({ id }) => id === shown.id);
      if (current && pressable(current).includes(label))
        expectOneEffect(what, current, await press(owner, current, label));
    }
  });

  it('says one sentence when it cannot work any more', async () => {
    for (const offer of OFFERS) {
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
    expect(log.filter((line) => /"level":"?(?:error|fatal|50|60)/u.test(line))).toEqual([]);
    expect(platform.offences()).toEqual([]);
  });
});
