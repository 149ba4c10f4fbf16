import { LIVE_MODES } from '#src/kernel/chat/live-answer.ts';
import type { Moment as StageMoment, Words } from '#test/fakes/platform/server.ts';
import type { FakeUser, InteractionHandle, Said } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import type { Moment } from '#test/fakes/slack/options.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import type { Action } from '../plan.ts';
import type { OnStageMoment, Stage } from '../stage.ts';
import { COMMAND, isCommand } from '../words.ts';
import type { SlackTrouble } from './plan.ts';
import { Pulse } from './pulse.ts';
import { isEven, type Spoken } from './spoken.ts';
import { messageKey, tellSlack } from './tell-slack.ts';

const PROGRAM = bundledProgram('platform-bot-process');
/** Four paragraphs of 1,400 characters: an answer of two messages. */
const FILLER_REPEATS = 60;
const LONG_QUIET_BEATS = 80;
/** As Slack's three seconds, minute and five minutes, for people in a hurry: four deliveries in all. */
const REDELIVER_AFTER_MS = [700, 2_000, 4_000];
const REFUSED_MS = 400;
const SLOW_MS = 400;

const MOMENTS: Readonly<Partial<Record<Moment['name'], StageMoment>>> = {
  connected: 'connect',
  acked: 'ack',
  responding: 'post',
  posted: 'posted',
  ephemeral: 'posted',
  updated: 'posted',
  'stream-started': 'posted',
  'stream-stopped': 'posted',
  reacted: 'react',
  unreacted: 'react',
};
const POSTING: ReadonlySet<string | undefined> = new Set(['chat.postMessage', 'chat.startStream']);

const momentOf = ({ name, method }: Moment): StageMoment | undefined =>
  name === 'request' && POSTING.has(method) ? 'post' : MOMENTS[name];

export const openSlackStage = async (seed: number, onMoment: OnStageMoment): Promise<Stage> => {
  /** Whose acknowledgements never arrive, and how often; and how often for the next one that is acknowledged. */
  const acksToLose = new Map<string, number>();
  let nextAcksToLose = 0;
  const isAckLost = ({ name, eventId }: Moment): boolean => {
    if (name !== 'acked' || eventId === undefined) return false;
    const left = acksToLose.get(eventId) ?? nextAcksToLose;
    if (!acksToLose.has(eventId)) nextAcksToLose = 0;
    acksToLose.set(eventId, Math.max(0, left - 1));
    return left > 0;
  };
  const fake = await startFakeSlack({
    redeliverAfterMs: REDELIVER_AFTER_MS,
    whileDisconnected: seed % 2 === 0 ? 'keep' : 'lose',
    onMoment: (moment) => {
      if (isAckLost(moment)) return 'drop';
      const mapped = momentOf(moment);
      return mapped === undefined || onMoment(mapped) ? undefined : 'drop';
    },
  });
  const pulse = new Pulse(() => fake.history.length);
  const people = new Map<string, FakeUser>();
  const spoken = new Map<string, Spoken>();
  const said = new Map<string, Said>();
  const calls = new Map<string, InteractionHandle>();
  const room = fake.addChannel({ name: 'stocks' });
  let threadTs: string | undefined;

  const personOf = (name: string): FakeUser => {
    const known = people.get(name) ?? fake.addUser({ name, realName: name });
    if (!people.has(name)) {
      people.set(name, known);
      fake.changeChannel(room.id, {
        members: [fake.bot.userId, ...[...people.values()].map(({ id }) => id)],
      });
    }
    return known;
  };
  const channelOf = ({ isGroup, sender }: Words): string =>
    isGroup ? room.id : fake.directOf(personOf(sender).id).id;

  const call = (words: Words): void => {
    const [user, channel] = [personOf(words.sender).id, channelOf(words)];
    // One that only the caller sees the answer to, and one that all see.
    const made = isEven(words.number)
      ? fake.command(user, channel, '/finclaw', 'help')
      : fake.command(user, channel, '/price', 'AAPL');
    calls.set(made.envelopeId, made);
    const event = `command:${made.triggerId}`;
    spoken.set(words.number, {
      number: words.number,
      sender: words.sender,
      body: COMMAND,
      isMeant: true,
      isCall: true,
      chat: channel,
      message: made.envelopeId,
      event,
    });
  };

  const say = (words: Words): void => {
    if (isCommand(words.body) && words.chat !== 'chatter') return call(words);
    const { chat, number, sender, body } = words;
    const user = personOf(sender).id;
    // A thread is called into once; whoever goes on there may leave the mention out.
    const isFollowUp = chat === 'thread' && threadTs !== undefined;
    const mention = chat === 'room' || (chat === 'thread' && (!isFollowUp || isEven(number)));
    const made = fake.say(channelOf(words), user, body, {
      mention,
      ...(isFollowUp && threadTs !== undefined ? { threadTs } : {}),
    });
    const { channel, ts } = made;
    if (chat === 'thread') threadTs ??= ts;
    said.set(number, made);
    spoken.set(number, {
      number,
      sender,
      body,
      isCall: false,
      event: ts,
      message: messageKey(made),
      chat: words.isGroup ? messageKey({ channel, ts: made.threadTs ?? ts }) : channel,
      isMeant: chat !== 'chatter',
    });
  };

  /** What a thread began with stays as it is: without it, the others would not be meant for the bot. */
  const change = (number: string, body: string | undefined): void => {
    const made = said.get(number);
    const now = made && fake.messageAt(made);
    if (!made || !now || made.ts === threadTs) return;
    if (body === undefined) fake.remove(made);
    else fake.edit(made, now.text.startsWith('<@') ? `<@${fake.bot.userId}> ${body}` : body);
  };

  const repeat = (number: string): void => {
    for (const eventId of said.get(number)?.eventIds ?? [])
      if (entriesOf(fake.history, 'acked').some((acked) => acked.eventId === eventId)) fake.repeat(eventId);
  };

  const trouble = (kind: SlackTrouble): void => {
    const { sockets } = fake;
    switch (kind) {
      case 'cut':
        return sockets.cut();
      case 'refresh':
        return sockets.disconnect('refresh_requested');
      case 'warning':
        return sockets.disconnect('warning');
      case 'deaf':
        return sockets.deafen();
      case 'refused':
        sockets.refuse('internal_error');
        setTimeout(() => sockets.refuse(undefined), REFUSED_MS);
        return sockets.cut();
      case 'lost-acks':
        // It is delivered four times then.
        nextAcksToLose = REDELIVER_AFTER_MS.length;
        return undefined;
      case 'slow-history':
        return fake.fail('conversations.history', { kind: 'slow', delayMs: SLOW_MS }, { times: 4 });
      case 'lost-response':
        return fake.fail('chat.postMessage', { kind: 'dropped-after' });
      case 'lost-request':
        return fake.fail('chat.postMessage', { kind: 'dropped-before' });
      case 'unavailable':
        return fake.fail('chat.postMessage', { kind: 'status', status: 503 }, { times: 2 });
    }
    return kind satisfies never;
  };

  return {
    program: PROGRAM,
    env: {
      SLACK_BOT_TOKEN: fake.botToken,
      SLACK_APP_TOKEN: fake.appToken,
      SLACK_API_URL: fake.apiUrl,
      DISCORD_BOT_TOKEN: '',
    },
    config: { live: { mode: LIVE_MODES[seed % LIVE_MODES.length] } },
    fillerRepeats: FILLER_REPEATS,
    longQuietBeats: LONG_QUIET_BEATS,
    get isServed() {
      return fake.pending.length === 0;
    },
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
          return trouble(action.trouble as SlackTrouble);
      }
      return action satisfies never;
    },
    attend: pulse.attend,
    tell: (store) => tellSlack({ fake, spoken: [...spoken.values()], said, calls, pulse }, store),
    complaints: () =>
      entriesOf(fake.history, 'offence')
        // A machine that does other things too is late now and then.
        .filter(({ rule }) => rule !== 'late-ack')
        .map(({ rule, detail }) => `Slack complains: ${rule} ${detail}`),
    close: async () => {
      pulse.stop();
      await fake.close();
    },
  };
};
