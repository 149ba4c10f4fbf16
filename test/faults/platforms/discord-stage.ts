import { LIVE_MODES } from '#src/kernel/chat/live-answer.ts';
import type { FakeInteraction, Moment } from '#test/fakes/discord/api.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, FakeUser } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import type { Moment as StageMoment, Words } from '#test/fakes/platform/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import type { Action } from '../plan.ts';
import type { OnStageMoment, Stage } from '../stage.ts';
import { COMMAND, isCommand } from '../words.ts';
import type { DiscordTrouble } from './plan.ts';
import { Pulse } from './pulse.ts';
import { isEven, type Spoken } from './spoken.ts';
import { tellDiscord } from './tell-discord.ts';

const PROGRAM = bundledProgram('platform-bot-process');
const HEARTBEAT_MS = 300;
/** A bot that is starved of CPU must not lose its session: that would be a second fault. */
const HEARTBEAT_GRACE_MS = 3_000;
/** Four paragraphs of 1,400 characters: an answer of several messages. */
const FILLER_REPEATS = 60;
const LONG_QUIET_BEATS = 80;
const POSTS = { method: 'POST', route: '/channels/:channel/messages' };
const HISTORY = { method: 'GET', route: '/channels/:channel/messages' };
const SLOW_MS = 400;

const EVENTS: ReadonlySet<string> = new Set(['MESSAGE_CREATE', 'INTERACTION_CREATE']);

const MOMENTS: Readonly<Partial<Record<Moment['kind'], StageMoment>>> = {
  identified: 'connect',
  acknowledged: 'ack',
  posted: 'posted',
  edited: 'posted',
  reacted: 'react',
  unreacted: 'react',
};

const momentOf = ({ kind, what }: Moment): StageMoment | undefined => {
  if (kind === 'dispatched') return EVENTS.has(what) ? 'ack' : undefined;
  if (kind === 'request') return /^POST .*messages$|^PATCH .*webhooks/.test(what) ? 'post' : undefined;
  return MOMENTS[kind];
};

export const openDiscordStage = async (seed: number, onMoment: OnStageMoment): Promise<Stage> => {
  const fake = await startFakeDiscord({
    heartbeatIntervalMs: HEARTBEAT_MS,
    heartbeatGraceMs: HEARTBEAT_GRACE_MS,
    onMoment: (moment) => {
      const mapped = momentOf(moment);
      return mapped === undefined || onMoment(mapped) ? undefined : 'drop';
    },
  });
  const quiet = new Set(['heartbeat', 'typed']);
  const pulse = new Pulse(() => fake.history.filter(({ type }) => !quiet.has(type)).length);
  const guild = fake.addGuild({ name: 'Investors' });
  const room = fake.addChannel(guild, { name: 'stocks' });
  const opener = fake.addUser({ name: 'opener' });
  const thread = fake.addThread(room, { name: 'chips', owner: opener, isJoined: true });
  const people = new Map<string, FakeUser>();
  const spoken = new Map<string, Spoken>();
  const calls = new Map<string, FakeInteraction>();
  let isThreadBegun = false;

  const personOf = (name: string): FakeUser => {
    const known = people.get(name) ?? fake.addUser({ name });
    people.set(name, known);
    return known;
  };
  const placeOf = ({ chat, sender }: Words): FakeChannel => {
    if (chat === 'thread') return thread;
    return chat === 'room' || chat === 'chatter' ? room : fake.directChannel(personOf(sender));
  };

  const call = (words: Words): void => {
    const [user, place] = [personOf(words.sender), placeOf(words)];
    // One that only the caller sees the answer to, and one that all see.
    const made = isEven(words.number)
      ? fake.command(user, place, 'help', {}, { isStale: true })
      : fake.command(user, place, 'price', { symbol: 'AAPL' }, { isStale: true });
    calls.set(made.id, made);
    spoken.set(words.number, {
      number: words.number,
      sender: words.sender,
      body: COMMAND,
      isMeant: true,
      isCall: true,
      chat: place.id,
      message: made.id,
      event: made.id,
    });
  };

  /** A thread is called into once; whoever goes on there may leave the mention out. */
  const textOf = ({ chat, number }: Words, body: string): string => {
    const isNeeded = chat === 'room' || (chat === 'thread' && (!isThreadBegun || isEven(number)));
    return isNeeded ? `${fake.mention()} ${body}` : body;
  };

  const say = (words: Words): void => {
    if (isCommand(words.body) && words.chat !== 'chatter') return call(words);
    const text = textOf(words, words.body);
    if (words.chat === 'thread') isThreadBegun = true;
    const { id, channelId } = fake.say(personOf(words.sender), placeOf(words), text);
    spoken.set(words.number, {
      number: words.number,
      sender: words.sender,
      body: words.body,
      isCall: false,
      chat: channelId,
      message: id,
      event: id,
      isMeant: words.chat !== 'chatter',
    });
  };

  const isThere = ({ chat, message }: Spoken): boolean =>
    fake.messagesIn(chat).some(({ id }) => id === message);
  /** What a thread began with stays as it is: without it, the others would not be meant for the bot. */
  const opensThread = ({ chat, message }: Spoken): boolean =>
    chat === thread.id && [...spoken.values()].find((other) => other.chat === thread.id)?.message === message;

  const change = (number: string, body: string | undefined): void => {
    const said = spoken.get(number);
    if (!said || said.isCall || opensThread(said) || !isThere(said)) return;
    const ref = { id: said.message, channelId: said.chat };
    if (body === undefined) return fake.remove(ref);
    const before = fake.messagesIn(said.chat).find(({ id }) => id === said.message)?.content ?? '';
    fake.edit(ref, before.startsWith('<@') ? `${fake.mention()} ${body}` : body);
  };

  /** As after a resume that was asked from too early a place. */
  const repeat = (number: string): void => {
    const said = spoken.get(number);
    if (!said || said.isCall || !isThere(said)) return;
    const event = entriesOf(fake.history, 'dispatched').find(
      ({ event: name, data, reached }) =>
        name === 'MESSAGE_CREATE' && reached && (data as { readonly id?: string }).id === said.message,
    );
    if (event) fake.dispatch('MESSAGE_CREATE', event.data);
  };

  const trouble = (kind: DiscordTrouble): void => {
    const { gateway, faults } = fake;
    switch (kind) {
      case 'cut':
        return gateway.cut();
      case 'op7':
        return gateway.askToReconnect();
      case 'op9':
        return gateway.invalidate(false);
      case 'op9-resumable':
        return gateway.invalidate(true);
      case 'forgotten':
        gateway.forgetSessions();
        return gateway.cut();
      case 'deaf':
        return gateway.deafen();
      case 'slow-history':
        return faults.slowDown(4, SLOW_MS, HISTORY);
      case 'lost-response':
        return faults.loseResponses(1, POSTS);
      case 'lost-request':
        return faults.loseRequests(1, POSTS);
      case 'unavailable':
        return faults.failNext(2, 503, POSTS);
    }
    return kind satisfies never;
  };

  return {
    program: PROGRAM,
    env: {
      DISCORD_BOT_TOKEN: fake.token,
      DISCORD_API_URL: fake.apiUrl,
      SLACK_BOT_TOKEN: '',
      SLACK_APP_TOKEN: '',
    },
    config: { live: { mode: LIVE_MODES[seed % LIVE_MODES.length] } },
    fillerRepeats: FILLER_REPEATS,
    longQuietBeats: LONG_QUIET_BEATS,
    // Discord expects no word about what it told.
    isServed: true,
    get quietBeats() {
      return pulse.quietBeats;
    },
    stir: pulse.stir,
    note: pulse.note,
    act: (action: Action) => {
      switch (action.kind) {
        case 'say':
          return say(action.words);
        case 'change':
          return change(action.number, action.body);
        case 'repeat':
          return repeat(action.number);
        case 'trouble':
          pulse.note({ type: 'trouble', what: action.trouble });
          return trouble(action.trouble as DiscordTrouble);
      }
      return action satisfies never;
    },
    attend: pulse.attend,
    tell: (store) => tellDiscord({ fake, spoken: [...spoken.values()], calls, pulse }, store),
    complaints: () => [],
    close: async () => {
      pulse.stop();
      await fake.close();
    },
  };
};
