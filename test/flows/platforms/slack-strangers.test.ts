import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { TEAM } from '#test/fakes/slack/world.ts';
import { openSlack, slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { ECHO, startTalk, type Talk } from '#test/support/platforms/talk.ts';

const THEIRS = 'T0THEIRS';

interface Stage {
  readonly platform: SlackPlatform;
  readonly talk: Talk;
}

const startStage = async (config: object): Promise<Stage> => {
  const platform = await openSlack();
  return {
    platform,
    talk: await startTalk({ ...slackKit, open: async () => platform }, { config: () => config }),
  };
};

/** Somebody of another workspace in a channel that both share. */
const guestIn = ({ fake }: SlackPlatform, name: string) => {
  const room = fake.addChannel({ name: `shared-${name}`, isShared: true });
  const guest = fake.addUser({ name, teamId: THEIRS, isAdmin: true });
  fake.changeChannel(room.id, { members: [...room.members, guest.id] });
  return { guest, room };
};

/** Of 2,500 people. */
const mentions = (from: number): string =>
  Array.from({ length: 2_500 }, (_, index) => `<@U${String(1_000 + from + index).padStart(9, '0')}>`).join(
    '',
  );

describe('guests of Slack Connect, where the operator names the workspaces that may use the bot', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ gates: { allow: { guilds: [TEAM.id] } } });
  });
  afterAll(() => stage.talk.close());

  it('are not answered, whatever way they call it; those of the own workspace are, beside them', async () => {
    const { platform, talk } = stage;
    const { fake } = platform;
    const { guest, room } = guestIn(platform, 'eve');
    fake.say(room.id, guest.id, 'what is AAPL?', { mention: true });
    fake.command(guest.id, room.id, '/price', 'AAPL');
    const ann = platform.addPerson('ann');
    const place = { id: room.id, kind: 'room' } as const;
    platform.say(ann, place, 'and what is MSFT?', { mention: true });
    await talk.sees(ann, place, `${ECHO}and what is MSFT?`);
    const toGuest = await talk.sees({ id: guest.id, name: 'eve' }, place, ({ isPrivate }) => isPrivate);
    expect(toGuest.text).toBe(channelTexts('en').notHere());
    expect(talk.claude.history).toHaveLength(1);
    const shown = fake.botMessagesIn(room.id).filter(({ ephemeralFor }) => ephemeralFor === undefined);
    expect(shown.map(({ rendered }) => rendered)).toEqual([`${ECHO}and what is MSFT?`]);
  });
});

describe('what guests do besides writing, where the operator names the workspaces that may use the bot', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ gates: { allow: { guilds: [TEAM.id] } } });
  });
  afterAll(() => stage.talk.close());

  it('is answered with nothing but a refusal: no page, no form, no message, no prompts', async () => {
    const { platform, talk } = stage;
    const { fake } = platform;
    const { guest, room } = guestIn(platform, 'eve');
    const ann = platform.addPerson('ann');
    // Slack names their workspace with their words, and then the bot knows it.
    fake.say(room.id, guest.id, 'hello', { mention: true });
    const opened = fake.shortcut(ann.id, 'finclaw_ask');
    await fake.until(() => fake.viewOf(opened) !== undefined, { what: 'the form of ann' });
    const form = fake.viewOf(opened);
    if (!form) throw new Error('no form was opened');
    const shortcut = fake.shortcut(guest.id, 'finclaw_ask');
    fake.openHome(guest.id);
    fake.openAssistant(guest.id);
    const sent = fake.submitView(guest.id, form, { question: { value: 'what is AAPL?' } });
    fake.openHome(ann.id);
    await fake.until(() => fake.homeOf(ann.id) !== undefined, { what: 'the page of ann' });
    fake.submitView(ann.id, form, { question: { value: 'and what is MSFT?' } });
    await talk.sees(ann, platform.direct(ann), `${ECHO}and what is MSFT?`);
    expect(fake.viewOf(shortcut)).toBeUndefined();
    expect(fake.homeOf(guest.id)).toBeUndefined();
    // Slack begins the assistant's thread by itself.
    const said = fake.botMessagesIn(fake.directOf(guest.id).id).map(({ rendered }) => rendered);
    expect(said).toEqual(['New Assistant Thread']);
    const methods = entriesOf(fake.history, 'request').map(({ method }) => method);
    expect(methods).not.toContain('assistant.threads.setSuggestedPrompts');
    expect(JSON.stringify(await sent.settled)).toContain(channelTexts('en').notHere());
  });
});

describe('guests of Slack Connect, where the operator says nothing of workspaces', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({});
  });
  afterAll(() => stage.talk.close());

  it('are answered, and change nothing about the workspace', async () => {
    const { platform, talk } = stage;
    const { fake } = platform;
    const { guest, room } = guestIn(platform, 'eve');
    const [eve, place] = [{ id: guest.id, name: 'eve' }, { id: room.id, kind: 'room' } as const];
    platform.say(eve, place, 'what is AAPL?', { mention: true });
    await talk.sees(eve, place, `${ECHO}what is AAPL?`);
    platform.say(eve, place, '/settings language ko', { mention: true });
    await talk.sees(eve, place, guildTexts('en').managersOnly());
    // Not even where Slack does not tell in time who they are.
    fake.fail('users.info', { kind: 'error', error: 'internal_error' }, { times: 10 });
    const other = fake.addUser({ name: 'mallory', teamId: THEIRS, isAdmin: true });
    fake.changeChannel(room.id, { members: [...room.members, guest.id, other.id] });
    platform.say({ id: other.id, name: 'mallory' }, place, '/settings language ko', { mention: true });
    await talk.sees({ id: other.id, name: 'mallory' }, place, guildTexts('en').managersOnly());
  });

  it('and nobody else make it ask for thousands of names, or hold up the answers of others', async () => {
    const { platform, talk } = stage;
    const { fake } = platform;
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const room = platform.addRoom('flooded');
    fake.changeChannel(room.id, { members: [ann.id, 'U0BOTUSER1'] });
    for (let message = 0; message < 20; message += 1) fake.say(room.id, ann.id, mentions(message * 2_500));
    const asked = (): number =>
      entriesOf(fake.history, 'request').filter(({ method }) => method === 'users.info').length;
    const before = asked();
    platform.say(ann, room, 'ping', { mention: true });
    platform.say(bob, platform.direct(bob), 'hello');
    await talk.sees(bob, platform.direct(bob), `${ECHO}hello`);
    await talk.sees(ann, room, `${ECHO}ping`);
    // 20 names, and who wrote.
    expect(asked() - before).toBeLessThanOrEqual(24);
  });
});
