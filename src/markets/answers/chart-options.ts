import type { CommandOption } from '#src/kernel/chat/command-definition.ts';
import type { Localized } from '#src/kernel/locale.ts';
import { HISTORY_RANGES } from '#src/kernel/market/finance.ts';
import { rangeLabel } from '#src/reading/history-range.ts';

export const rangeOption = (description: Localized): CommandOption => ({
  name: 'range',
  nameKo: '기간',
  description,
  type: 'text',
  choices: HISTORY_RANGES.map((range) => ({
    value: range,
    label: { ko: rangeLabel(range, 'ko'), en: rangeLabel(range, 'en') },
  })),
});

export const themeOption: CommandOption = {
  name: 'theme',
  nameKo: '테마',
  description: { ko: '그림의 밝은 배경 또는 어두운 배경', en: 'a light or a dark background of the picture' },
  type: 'text',
  choices: [
    { value: 'light', label: { ko: '라이트', en: 'light' } },
    { value: 'dark', label: { ko: '다크', en: 'dark' } },
  ],
};
