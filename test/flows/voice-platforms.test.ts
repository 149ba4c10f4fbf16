import { describe, expect, it, onTestFinished } from 'vitest';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { voiceTexts } from '#src/kernel/chat/texts/voice.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { startFakeOpenAi } from '#test/fakes/openai/server.ts';
import type { FakeClip } from '#test/fakes/slack/api.ts';
import { answer, holds, until } from '#test/support/engine-app.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { Platform, PlatformKit, SentFile } from '#test/support/platforms/driver.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { readIn, startTalk } from '#test/support/platforms/talk.ts';

const SOUND = Buffer.from('a recording that only the fake can hear');
const QUESTION = '삼성전자 지금 얼마야?';
const HEARD = `🎙️ “${QUESTION}”`;
const THEIRS = 'Sell all my shares.';

const VOICE: Readonly<Record<'discord' | 'slack', SentFile>> = {
  discord: { name: 'voice-message.ogg', mimeType: 'audio/ogg', bytes: SOUND, spokenMs: 2_500 },
  slack: { name: 'audio_message.m4a', mimeType: 'audio/mp4', bytes: SOUND, spokenMs: 2_500 },
};

/** The bot on a platform, with a provider that hears. */
const startOn = async <Opened extends Platform>(kit: PlatformKit, platform: Opened, config: object = {}) => {
  const gpt = await startFakeOpenAi();
  onTestFinished(gpt.close);
  const env = { OPENAI_API_KEY: 'geheim-gpt-eins-3333', OPENAI_BASE_URL: gpt.url };
  const talk = await startTalk({ ...kit, open: async () => platform }, { env, config: () => config });
  onTestFinished(talk.close);
  return { ...talk, platform, gpt };
};
const startDiscord = async (config?: object) => startOn(discordKit, await openDiscord(), config);
const startSlack = async (config?: object) => startOn(slackKit, await openSlack(), config);

describe.each([
  ['discord', startDiscord, 'voice.ogg'],
  ['slack', startSlack, 'voice.mp4'],
] as const)('on %s', (name, start, fileName) => {
  it('a voice message in a direct chat shows its words and then the answer', async () => {
    const { platform, sees, gpt, claude } = await start();
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    gpt.speak({ kind: 'words', text: QUESTION });
    platform.say(ann, direct, '', { files: [VOICE[name]] });
    const { text } = await sees(ann, direct, 'You said');
    expect(text).toMatch(
      new RegExp(`^(?:> )?🎙️ “[^”]+”\\s+You said: ${QUESTION.replace('?', String.raw`\?`)}`, 'u'),
    );
    expect(readIn(claude.history.at(-1)?.body)).toContain(QUESTION);
    expect(gpt.recordings).toEqual([
      { model: 'gpt-4o-mini-transcribe', fileName, bytes: Uint8Array.from(SOUND) },
    ]);
    expect(platform.offences()).toEqual([]);
  });

  it('a question that a voice message leads to stands below its words', async () => {
    const rules = [{ pattern: 'get_datetime', verdict: 'require-approval' }];
    const { platform, sees, gpt, claude } = await start({ tools: { rules } });
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    gpt.speak({ kind: 'words', text: QUESTION });
    claude.reply({ kind: 'answer', toolCalls: [{ name: 'get_datetime', input: {} }] });
    platform.say(ann, direct, '', { files: [VOICE[name]] });
    const { text } = await sees(ann, direct, '이대로 할까요?');
    expect(text).toMatch(/^(?:> )?🎙️ “삼성전자 지금 얼마야\?”\s+❓/u);
    expect(platform.offences()).toEqual([]);
  });

  it('a voice message that is too long gets one sentence', async () => {
    const { platform, sees, gpt } = await start({ voice: { maxMinutes: 1 } });
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    platform.say(ann, direct, '', { files: [{ ...VOICE[name], spokenMs: 61_000 }] });
    await sees(ann, direct, voiceTexts('en').tooLong({ minutes: 1 }));
    expect(gpt.history).toEqual([]);
  });
});

it('on Discord a forwarded voice message is somebody else’s, and read as a file', async () => {
  const { platform, sees, gpt, claude } = await startDiscord();
  const ann = platform.addPerson('ann');
  const direct = platform.direct(ann);
  const spoken = platform.say(platform.addPerson('mallory'), platform.addRoom('talk'), '', {
    files: [VOICE.discord],
  });
  gpt.speak({ kind: 'words', text: THEIRS });
  platform.forward(ann, spoken, direct);
  const { text } = await sees(ann, direct, 'You said');
  expect(text).not.toContain('🎙️');
  expect(readIn(claude.history.at(-1)?.body)).toContain(
    `<attachment name="voice-message.ogg">\n${THEIRS}\n</attachment>`,
  );
});

const clipOf = (clip: FakeClip) => ({
  name: VOICE.slack.name,
  mimetype: VOICE.slack.mimeType,
  content: SOUND,
  clip,
});

describe('on Slack', () => {
  it('an audio clip in a channel is heard with a mention', async () => {
    const { platform, sees, gpt } = await startSlack();
    const ann = platform.addPerson('ann');
    const room = platform.addRoom('market');
    gpt.speak({ kind: 'words', text: QUESTION });
    const { id } = platform.say(ann, room, '', { mention: true, files: [VOICE.slack] });
    const { text } = await sees(ann, { id, kind: 'thread', room: room.id }, 'You said');
    expect(text).toContain(HEARD);
  });

  it('an audio clip shows its words in the status while the model thinks, where only that is shown', async () => {
    const { platform, sees, gpt, claude } = await startSlack({ live: { mode: 'status' } });
    const ann = platform.addPerson('ann');
    const room = platform.addRoom('market');
    gpt.speak({ kind: 'words', text: QUESTION });
    const { promise: thought, resolve: letAnswer } = Promise.withResolvers<void>();
    claude.reply(holds(thought, answer('비쌉니다.')));
    const { id } = platform.say(ann, room, '', { mention: true, files: [VOICE.slack] });
    const statuses = () => entriesOf(platform.fake.history, 'status').map(({ status }) => status);
    await until(() => statuses().length > 0);
    expect(statuses()).toEqual([`${HEARD} · ${liveTexts('ko').thinking()}`]);
    letAnswer();
    const { text } = await sees(ann, { id, kind: 'thread', room: room.id }, '비쌉니다.');
    expect(text).toContain(HEARD);
    expect(platform.offences()).toEqual([]);
  });

  it('uses the words of Slack where they are complete, and ours where they are not', async () => {
    const { platform, sees, gpt } = await startSlack();
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    const whole = { content: 'Is the market open?', hasMore: false };
    platform.fake.say(direct.id, ann.id, '', {
      files: [clipOf({ durationMs: 2_000, transcription: whole })],
    });
    await sees(ann, direct, 'Is the market open?');
    expect(gpt.recordings).toEqual([]);
    gpt.speak({ kind: 'words', text: 'Is the market open on Friday?' });
    const part = { content: 'Is the market', hasMore: true };
    platform.fake.say(direct.id, ann.id, '', {
      files: [clipOf({ durationMs: 2_000, transcription: part })],
    });
    await sees(ann, direct, 'Is the market open on Friday?');
    expect(gpt.recordings).toHaveLength(1);
  });

  it('a clip of somebody else that is shared again is read as a file', async () => {
    const { platform, sees, claude } = await startSlack();
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    const theirs = {
      id: 'F9',
      name: 'audio_message.m4a',
      mimetype: 'audio/mp4',
      user: platform.addPerson('bob').id,
      subtype: 'slack_audio',
      transcription: { status: 'complete', preview: { content: THEIRS, has_more: false } },
      url_private: 'https://files.slack.com/x',
    };
    platform.fake.say(direct.id, ann.id, 'listen', { subtype: 'file_share', fields: { files: [theirs] } });
    const { text } = await sees(ann, direct, 'You said: listen');
    expect(text).not.toContain('🎙️');
    expect(readIn(claude.history.at(-1)?.body)).toContain(
      `<attachment name="audio_message.m4a">\n${THEIRS}\n</attachment>`,
    );
  });
});
