import { describe, expect, it, onTestFinished } from 'vitest';
import { SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import { entriesOf as discordEntries } from '#test/fakes/discord/history.ts';
import { entriesOf as slackEntries } from '#test/fakes/slack/history.ts';
import { answer } from '#test/support/engine-app.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { Place, Platform, PlatformKit } from '#test/support/platforms/driver.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { ECHO, eventually, readIn, startTalk } from '#test/support/platforms/talk.ts';

/** Less than the 5 s after which a sign is given up. */
const SOON_MS = 4_000;
/** Until it is told to hurry, no long wait of the program ends by itself. */
const createPatientClock = (longMs = 1_000): { readonly clock: Clock; readonly hurry: () => void } => {
  let isPatient = true;
  const after: Clock['after'] = (delayMs, callback) =>
    isPatient && delayMs >= longMs ? () => undefined : systemClock.after(delayMs, callback);
  return {
    clock: { ...systemClock, after },
    hurry: () => {
      isPatient = false;
    },
  };
};
const OFTEN = 100;
const MODES = ['status', 'stream'] as const;

/** A platform that is watched for what the bot asks of it. */
interface Watched {
  readonly kit: PlatformKit;
  readonly platform: Platform;
  /** Takes every sign that a message was seen or is worked on, and lets none of these calls return. */
  readonly holdSigns: (until: Promise<void>) => void;
  /** What arrived, in order: the signs, and the answer. */
  readonly arrived: () => readonly string[];
  /** The signs that a long answer has in this mode. */
  readonly signs: Readonly<Record<(typeof MODES)[number], readonly string[]>>;
  /** How often the platform was asked for messages. */
  readonly reads: () => number;
  /** As the log says it. */
  readonly caughtUp: string;
  /** The connection is lost, and a new one does not tell what was said meanwhile. */
  readonly gap: (meanwhile: () => void) => Promise<void>;
  /** The bot is not in the room meanwhile. */
  readonly absent: (room: Place, meanwhile: () => void) => void;
}

const watchSlack = async (): Promise<Watched> => {
  const platform = await openSlack({ whileDisconnected: 'lose', redeliverAfterMs: [] });
  const { fake } = platform;
  const requests = () => slackEntries(fake.history, 'request');
  const names: Readonly<Record<string, string>> = {
    'reactions.add': 'eyes',
    'reactions.remove': 'eyes off',
    'assistant.threads.setStatus': 'working',
    'chat.postMessage': 'answer',
    'chat.startStream': 'answer',
  };
  return {
    kit: { ...slackKit, open: async () => platform },
    platform,
    holdSigns: (until) => {
      for (const method of ['reactions.add', 'reactions.remove', 'assistant.threads.setStatus'])
        fake.fail(method, { kind: 'held', until }, { times: OFTEN });
    },
    arrived: () => requests().flatMap(({ method }) => names[method] ?? []),
    signs: { status: ['eyes', 'working'], stream: ['eyes', 'working'] },
    reads: () =>
      requests().filter(({ method }) => /^conversations\.(?:history|replies)$/.test(method)).length,
    caughtUp: 'Slack: read missed messages',
    gap: async (meanwhile) => {
      const opened = (): number => slackEntries(fake.history, 'connected').length;
      const before = opened();
      fake.sockets.refuse('internal_error');
      fake.sockets.cut();
      meanwhile();
      fake.sockets.refuse(undefined);
      await eventually(() => opened() > before);
    },
    absent: (room, meanwhile) => {
      const { members } = fake.changeChannel(room.id, {});
      fake.changeChannel(room.id, { members: members.filter((member) => member !== fake.bot.userId) });
      meanwhile();
      fake.changeChannel(room.id, { members });
      fake.say(room.id, fake.bot.userId, 'joined', { subtype: 'channel_join', events: 'message' });
    },
  };
};

const REACTION = '/channels/:channel/messages/:message/reactions/:emoji/@me';
const MESSAGES = '/channels/:channel/messages';

const watchDiscord = async (): Promise<Watched> => {
  const platform = await openDiscord();
  const { fake } = platform;
  const names: Readonly<Record<string, string>> = {
    reacted: 'eyes',
    unreacted: 'eyes off',
    typed: 'working',
    posted: 'answer',
  };
  return {
    kit: { ...discordKit, open: async () => platform },
    platform,
    holdSigns: (until) => {
      for (const route of [REACTION, '/channels/:channel/typing']) fake.faults.hold(OFTEN, until, { route });
    },
    arrived: () => fake.history.flatMap(({ type }) => names[type] ?? []),
    signs: { status: ['eyes', 'working'], stream: ['eyes'] },
    reads: () =>
      discordEntries(fake.history, 'request').filter(
        ({ method, route }) => method === 'GET' && route.startsWith(MESSAGES),
      ).length,
    caughtUp: 'Discord: read missed messages',
    gap: async (meanwhile) => {
      const opened = (): number => discordEntries(fake.history, 'identified').length;
      const before = opened();
      fake.onMoment(({ kind }) => {
        if (kind !== 'identified') return;
        fake.onMoment(undefined);
        meanwhile();
      });
      fake.gateway.forgetSessions();
      fake.gateway.cut();
      await eventually(() => opened() > before && fake.gateway.isReady);
    },
    absent: (room, meanwhile) => {
      platform.permit(room, { canRead: false });
      meanwhile();
      platform.permit(room, { canRead: true });
    },
  };
};

const open = async (
  watch: () => Promise<Watched>,
  { config = {}, clock = systemClock }: { readonly config?: object; readonly clock?: Clock } = {},
) => {
  const watched = await watch();
  const talk = await startTalk(watched.kit, { config: () => config, clock });
  onTestFinished(talk.close);
  const [ann, bob] = [watched.platform.addPerson('ann'), watched.platform.addPerson('bob')];
  return { ...watched, ...talk, ann, bob, room: watched.platform.addRoom('stocks') };
};

const PLATFORMS = [
  ['Slack', watchSlack],
  ['Discord', watchDiscord],
] as const;

describe.each(PLATFORMS)('a sign that %s holds', (_name, watch) => {
  it.each(MODES)('delays neither the model nor the answer (%s)', async (mode) => {
    const { clock, hurry } = createPatientClock();
    const bot = await open(watch, { config: { live: { mode } }, clock });
    const { platform, claude, arrived, ann, room } = bot;
    const [signs, model] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(() => {
      hurry();
      signs.resolve();
      model.resolve();
    });
    bot.holdSigns(signs.promise);
    // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
    claude.reply({ kind: 'hold', until: model.promise, answer: {}, then: answer('It rose.') });
    platform.say(ann, room, 'How is Apple?', { mention: true });
    await eventually(() => claude.history.length > 0, arrived, SOON_MS);
    await eventually(() => bot.signs[mode].every((sign) => arrived().includes(sign)), arrived);
    model.resolve();
    const isSeen = (place: Place, words: string): boolean =>
      platform.seenBy(ann, place).some(({ text, isUnderWay }) => !isUnderWay && text.includes(words));
    await eventually(() => isSeen(room, 'It rose.'), arrived, SOON_MS);
    // A question elsewhere is not held up by the calls that still hang.
    const other = platform.addRoom('other');
    platform.say(ann, other, 'and Tesla?', { mention: true });
    await eventually(() => isSeen(other, `${ECHO}and Tesla?`), arrived, SOON_MS);
  });

  it('is not shown for an answer that comes at once', async () => {
    const { clock, hurry } = createPatientClock(SHOW_AFTER_MS);
    const { platform, sees, arrived, close, ann, room } = await open(watch, { clock });
    onTestFinished(hurry);
    platform.say(ann, room, 'one', { mention: true });
    await sees(ann, room, `${ECHO}one`);
    hurry();
    await close();
    expect(arrived()).toEqual(['answer']);
  });

  it('is taken back after the answer, not before it', async () => {
    const bot = await open(watch);
    const { platform, claude, sees, ann, room } = bot;
    const model = Promise.withResolvers<void>();
    onTestFinished(() => model.resolve());
    // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
    claude.reply({ kind: 'hold', until: model.promise, answer: {}, then: answer('It rose.') });
    platform.say(ann, room, 'How is Apple?', { mention: true });
    await eventually(() => bot.arrived().includes('eyes'));
    model.resolve();
    await sees(ann, room, 'It rose.');
    await eventually(() => bot.arrived().includes('eyes off'));
    expect(bot.arrived().filter((what) => what !== 'working')).toEqual(['eyes', 'answer', 'eyes off']);
  });
});

describe.each(PLATFORMS)('a conversation that the bot hears on %s', (_name, watch) => {
  const listen = async () => {
    const bot = await open(watch);
    const { platform, sees, claude, ann, bob } = bot;
    /** Somebody says something to others, and then the bot is asked: whether it knows the one is returned. */
    const ask = async (place: Place, overheard: string, words: string): Promise<boolean> => {
      platform.say(bob, place, overheard);
      platform.say(ann, place, words, { mention: true });
      await sees(ann, place, `${ECHO}${words}`);
      return readIn(claude.history.at(-1)?.body).includes(overheard);
    };
    return { ...bot, ask };
  };

  it('is not read again in a room after the first question there', async () => {
    const { ask, reads, room } = await listen();
    expect(await ask(room, 'EARLY', 'first')).toBe(true);
    expect(reads()).toBe(1);
    expect(await ask(room, 'LATER', 'second')).toBe(true);
    expect(await ask(room, 'LATEST', 'third')).toBe(true);
    expect(reads()).toBe(1);
  });

  it('is not read again in a thread after the first question there', async () => {
    const { reads, platform, sees, claude, ann, bob, room } = await listen();
    const { place: thread } = platform.openThread(bob, room, 'AMONG OURSELVES');
    platform.say(ann, thread, 'first', { mention: true });
    await sees(ann, thread, `${ECHO}first`);
    expect(readIn(claude.history.at(-1)?.body)).toContain('AMONG OURSELVES');
    const before = reads();
    for (const [words, mention] of [
      ['second', true],
      ['third', false],
      ['fourth', true],
    ] as const) {
      platform.say(ann, thread, words, { mention });
      await sees(ann, thread, `${ECHO}${words}`);
    }
    expect(reads()).toBe(before);
  });

  it('is read again after a gap, with what was said in it', async () => {
    const { ask, reads, gap, caughtUp, count, platform, bob, room, claude } = await listen();
    await ask(room, 'EARLY', 'first');
    await ask(room, 'LATER', 'second');
    const catchUps = count(caughtUp);
    await gap(() => void platform.say(bob, room, 'UNHEARD'));
    // It looks for questions that it missed, and does not keep what it finds.
    await eventually(() => count(caughtUp) > catchUps);
    const before = reads();
    expect(await ask(room, 'LATEST', 'third')).toBe(true);
    expect(readIn(claude.history.at(-1)?.body)).toContain('UNHEARD');
    expect(reads()).toBe(before + 1);
    expect(await ask(room, 'AGAIN', 'fourth')).toBe(true);
    expect(reads()).toBe(before + 1);
  });

  it('is read again where the bot was absent', async () => {
    const { ask, reads, absent, platform, bob, room, claude } = await listen();
    await ask(room, 'EARLY', 'first');
    await ask(room, 'LATER', 'second');
    const before = reads();
    absent(room, () => void platform.say(bob, room, 'UNHEARD'));
    expect(await ask(room, 'LATEST', 'third')).toBe(true);
    expect(readIn(claude.history.at(-1)?.body)).toContain('UNHEARD');
    expect(reads()).toBe(before + 1);
    expect(await ask(room, 'AGAIN', 'fourth')).toBe(true);
    expect(reads()).toBe(before + 1);
  });
});
