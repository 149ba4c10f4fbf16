import { localized } from '#src/kernel/locale.ts';

const en = {
  /** For a slash command that Slack has registered for the app and the bot does not know. */
  unknownCommand: (p: { readonly typed: string }) =>
    `I do not know ${p.typed}. Type \`/finclaw help\` to see what I can do.`,
  formWorking: () => 'One moment…',
  formClose: () => 'Close',
};

const ko: typeof en = {
  unknownCommand: (p) =>
    `${p.typed} 명령은 없습니다. \`/finclaw help\`를 입력하면 할 수 있는 일을 보여 드립니다.`,
  formWorking: () => '잠시만 기다려 주세요…',
  formClose: () => '닫기',
};

export const slackMessages = localized({ en, ko });
