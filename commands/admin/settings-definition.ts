import { LIVE_MODES } from '#src/kernel/channel.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import { choiceLabels, queueModeChoices } from '../choice-labels.ts';
import type { SettingName } from './settings-values.ts';

const choice = (value: string, name: SettingName, meaning: (locale: Locale) => string, word?: string) => ({
  value,
  ...(word !== undefined && { words: [word] }),
  label: choiceLabels((locale) => `${guildMessages(locale).names[name]}: ${meaning(locale)}`),
});

/** Others are typed in a message. */
const ZONES = ['Asia/Seoul', 'Asia/Tokyo', 'Europe/London', 'America/New_York'];

export const settingsDefinition: CommandDefinition = {
  name: 'settings',
  aliases: ['설정'],
  description: {
    ko: '서버 관리자가 언어, 시간대, 채널, 답변 표시, 대기열 모드를 정합니다',
    en: 'language, time zone, channels and more of this server (server admins)',
  },
  usage: {
    ko: '/settings [언어 | 시간대 | 채널 | 표시 | 대기열] [값]',
    en: '/settings [language | timezone | channels | live | queue] [value]',
  },
  category: 'admin',
  // As many channels as it takes, each as a mention.
  maxChars: 3_000,
  options: [
    {
      name: 'change',
      nameKo: '변경',
      description: {
        ko: '무엇을 바꿀지 고릅니다. 비워 두면 지금 설정을 보여 줍니다',
        en: 'what to change; leave it out to see the settings',
      },
      type: 'text',
      // Whole changes, so that nothing can be put together that does not fit.
      choices: [
        ...(['auto', 'ko', 'en'] as const).map((each) =>
          choice(`language ${each}`, 'language', (locale) => guildMessages(locale).languages[each]),
        ),
        ...ZONES.map((zone) => choice(`timezone ${zone}`, 'timezone', () => zone)),
        choice('timezone default', 'timezone', (locale) => guildMessages(locale).zoneOfPeople()),
        choice('channels add', 'channels', (locale) => guildMessages(locale).choices.addChannel, '채널 추가'),
        choice(
          'channels remove',
          'channels',
          (locale) => guildMessages(locale).choices.removeChannel,
          '채널 제거',
        ),
        choice('channels all', 'channels', (locale) => guildMessages(locale).everywhere(), '채널 전체'),
        ...LIVE_MODES.map((mode) =>
          choice(`live ${mode}`, 'live', (locale) => `${mode} — ${guildMessages(locale).lives[mode]}`),
        ),
        choice('live default', 'live', (locale) => guildMessages(locale).asConfigured()),
        ...queueModeChoices.map(({ value, label }) =>
          choice(`queue ${value}`, 'queue', (locale) => label[locale]),
        ),
        choice('queue default', 'queue', (locale) => guildMessages(locale).asConfigured()),
      ],
    },
    {
      name: 'channel',
      nameKo: '채널',
      description: {
        ko: '추가하거나 제거할 채널 (#으로 고릅니다). 비워 두면 이 채널입니다',
        en: 'the channel to add or remove (pick it with #); leave it out for this one',
      },
      type: 'text',
    },
  ],
  isPrivate: true,
};
