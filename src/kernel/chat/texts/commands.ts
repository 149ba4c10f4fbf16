import { localized } from '#src/kernel/locale.ts';

/** What the program says about a command, or adds to an answer. */
const commandsEn = {
  unknownCommand: (p: { readonly name: string; readonly nearest: string }) =>
    `There is no command \`/${p.name}\`. Did you mean \`/${p.nearest}\`? \`/help\` lists them all.`,
  usage: (p: { readonly usage: string }) => `Usage: \`${p.usage}\``,
  missingRole: (p: { readonly name: string }) => `\`/${p.name}\` is for administrators.`,
  cooldown: (p: { readonly name: string; readonly wait: string }) =>
    `\`/${p.name}\` can be used again ${p.wait}.`,
  inThread: (p: { readonly name: string }) =>
    `Here every thread is a conversation of its own, and \`/${p.name}\` is about one. Please mention me in the thread and add \`/${p.name}\`.`,
  /** For platforms without buttons. */
  goOn: (p: { readonly command: string }) => `To go on, send \`${p.command}\`.`,
  quotes: () => '**Current quotes**',
  pluginFailed: (p: { readonly name: string; readonly plugin: string; readonly errorId: string }) =>
    `\`/${p.name}\` did not work: the plugin “${p.plugin}” it belongs to failed (error ${p.errorId}). Please tell whoever runs this bot; everything else works.`,
};

const commandsKo: typeof commandsEn = {
  unknownCommand: (p) =>
    `\`/${p.name}\` 명령어는 없습니다. 혹시 \`/${p.nearest}\`인가요? \`/help\`로 전체 목록을 볼 수 있습니다.`,
  usage: (p) => `사용법: \`${p.usage}\``,
  missingRole: (p) => `\`/${p.name}\` 명령어는 관리자만 사용할 수 있습니다.`,
  cooldown: (p) => `\`/${p.name}\` 명령어는 ${p.wait}에 다시 사용할 수 있습니다.`,
  inThread: (p) =>
    `여기서는 스레드마다 대화가 따로 있고, \`/${p.name}\` 명령은 그중 한 대화에 적용됩니다. 해당 스레드에서 저를 멘션하고 \`/${p.name}\`을 함께 적어 주세요.`,
  goOn: (p) => `계속하시려면 \`${p.command}\`라고 보내 주세요.`,
  quotes: () => '**현재 시세**',
  pluginFailed: (p) =>
    `\`/${p.name}\` 명령을 실행하지 못했습니다. 이 명령을 제공하는 플러그인 “${p.plugin}”에서 오류가 났습니다(오류 ${p.errorId}). 봇 운영자에게 알려 주세요. 다른 기능은 정상입니다.`,
};

export const commandTexts = localized({ en: commandsEn, ko: commandsKo });
