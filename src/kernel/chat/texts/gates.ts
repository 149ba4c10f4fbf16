import { counted, localized } from '#src/kernel/locale.ts';

interface Person {
  /** In the notation of the configuration: `discord:123`. */
  readonly id: string;
}

/** Access control: who may use the bot, and when. */
const gatesEn = {
  notAllowed: (p: Person) =>
    `This bot answers certain people only, and you are not one of them yet. To use it, please ask its operator to allow \`${p.id}\`.`,
  directNotAllowed: (p: Person) =>
    `I answer direct messages from certain people only. To write to me here, please ask the operator to allow \`${p.id}\`.`,
  pairingCode: (p: { readonly code: string }) =>
    `An administrator has to let you in before I answer you here. Please give them this code, which is valid for one hour: \`${p.code}\` (they type \`/pair ${p.code}\`).`,
  pairingDenied: () =>
    'An administrator has declined your request, so I do not answer you here. If you think that is a mistake, please talk to them, or ask again tomorrow.',
  rateLimited: (p: { readonly seconds: number }) =>
    `You are sending messages too fast. Please wait ${counted(p.seconds, 'second')} and send this again.`,
  storedEnough: () => 'That is as much as I keep for one person in a day. Please send this again tomorrow.',
  nothingAsked: () =>
    'What would you like to know? Write it after my name, such as "How is Apple doing today?", or `/help` for what I can do.',
  budgetUser: (p: { readonly zone: string; readonly errorId: string }) =>
    `Your budget for today is used up; a new one starts at midnight (${p.zone}). Commands such as \`/price\` still work. (error ${p.errorId})`,
  budgetNearly: (p: { readonly percent: number }) =>
    `You have used ${p.percent}% of today's budget. Commands such as \`/price\` are free, and \`/usage\` shows what is left.`,
  budgetTotal: (p: { readonly zone: string; readonly errorId: string }) =>
    `This bot's budget for today is used up; a new one starts at midnight (${p.zone}). Commands such as \`/price\` still work. (error ${p.errorId})`,
  marketsClosed: () =>
    'I take questions while a market is open, and all are closed now. Commands such as `/price` work at any time.',
  marketsClosedUntil: (p: { readonly markets: string; readonly at: string }) =>
    `I take questions while a market is open, and all are closed now. Next to open: ${p.markets}, ${p.at}. Commands such as \`/price\` work at any time.`,
  pair: {
    waiting: () => '**Waiting to be let in**',
    entry: (p: {
      readonly code: string;
      readonly name: string;
      readonly id: string;
      readonly minutes: number;
    }) => `\`${p.code}\` — ${p.name} (\`${p.id}\`), ${p.minutes} min left`,
    more: (p: { readonly count: number }) => `… and ${p.count} more`,
    howTo: () =>
      'Let somebody in with `/pair <code>`, and only if they gave you the code themselves. `/pair deny <code>` declines.',
    nobody: () => 'Nobody is waiting to be let in.',
    done: (p: { readonly name: string; readonly id: string }) =>
      `${p.name} (\`${p.id}\`) may write to me directly from now on, and is being told so. \`/pair revoke ${p.id}\` takes it back.`,
    doneUntold: (p: { readonly name: string; readonly id: string }) =>
      `${p.name} (\`${p.id}\`) may write to me directly from now on, but I could not notify them: please tell them. \`/pair revoke ${p.id}\` takes it back.`,
    welcome: () =>
      'An administrator has let you in: you may write to me here now. `/help` shows what I can do.',
    denied: (p: { readonly name: string; readonly id: string }) =>
      `The request of ${p.name} (\`${p.id}\`) is declined. They are told so, and can ask again after a day.`,
    denyUsage: () => 'Please give the code, for example `/pair deny ABCD2345`. `/pair` shows who is waiting.',
    unknown: (p: { readonly code: string }) =>
      `Nobody is waiting with the code \`${p.code}\`: it is wrong, used or older than an hour. \`/pair\` shows who is waiting.`,
    revoked: (p: Person) => `\`${p.id}\` may no longer write to me directly.`,
    notPaired: (p: Person) =>
      `\`${p.id}\` was not let in with a code, so there is nothing to take back. To remove people whom the configuration allows, change the configuration.`,
    revokeUsage: () => 'Please name the person as in `/pair revoke discord:123456789`.',
  },
};

const gatesKo: typeof gatesEn = {
  notAllowed: (p) =>
    `이 봇은 허용된 사용자에게만 답변합니다. 사용하시려면 운영자에게 \`${p.id}\` 허용을 요청해 주세요.`,
  directNotAllowed: (p) =>
    `다이렉트 메시지로는 허용된 사용자에게만 답변합니다. 여기서 대화하시려면 운영자에게 \`${p.id}\` 허용을 요청해 주세요.`,
  pairingCode: (p) =>
    `여기서 답변해 드리려면 먼저 관리자의 승인이 필요합니다. 한 시간 동안 유효한 다음 코드를 관리자에게 전달해 주세요: \`${p.code}\` (관리자는 \`/pair ${p.code}\`를 입력합니다)`,
  pairingDenied: () =>
    '관리자가 요청을 거절하여 여기서는 답변해 드릴 수 없습니다. 착오라고 생각되시면 관리자에게 문의하시거나 내일 다시 요청해 주세요.',
  rateLimited: (p) => `메시지가 너무 빠르게 이어지고 있습니다. ${p.seconds}초 뒤에 다시 보내 주세요.`,
  storedEnough: () => '하루에 보관할 수 있는 분량을 모두 쓰셨습니다. 내일 다시 보내 주세요.',
  nothingAsked: () =>
    '무엇이 궁금하신가요? 제 이름 뒤에 "애플 주가 어때?"처럼 질문을 적어 주시거나 `/help`로 기능을 확인해 주세요.',
  budgetUser: (p) =>
    `오늘 사용할 수 있는 예산을 모두 썼습니다. 자정(${p.zone})에 새 예산이 시작됩니다. \`/price\` 같은 명령어는 그대로 사용할 수 있습니다. (오류 ${p.errorId})`,
  budgetNearly: (p) =>
    `오늘 예산의 ${p.percent}%를 사용했습니다. \`/price\` 같은 명령어는 예산을 쓰지 않으며, 남은 예산은 \`/usage\`로 확인하실 수 있습니다.`,
  budgetTotal: (p) =>
    `이 봇의 오늘 예산이 모두 소진되었습니다. 자정(${p.zone})에 새 예산이 시작됩니다. \`/price\` 같은 명령어는 그대로 사용할 수 있습니다. (오류 ${p.errorId})`,
  marketsClosed: () =>
    '질문은 시장이 열려 있는 동안에만 받으며, 지금은 모든 시장이 닫혀 있습니다. `/price` 같은 명령어는 언제든지 사용할 수 있습니다.',
  marketsClosedUntil: (p) =>
    `질문은 시장이 열려 있는 동안에만 받으며, 지금은 모든 시장이 닫혀 있습니다. 다음 개장: ${p.markets}, ${p.at}. \`/price\` 같은 명령어는 언제든지 사용할 수 있습니다.`,
  pair: {
    waiting: () => '**승인을 기다리는 사용자**',
    entry: (p) => `\`${p.code}\` — ${p.name} (\`${p.id}\`), ${p.minutes}분 남음`,
    more: (p) => `… 외 ${p.count}명`,
    howTo: () =>
      '본인에게서 코드를 직접 전달받은 경우에만 `/pair <코드>`로 승인해 주세요. 거절하려면 `/pair deny <코드>`를 입력하세요.',
    nobody: () => '승인을 기다리는 사용자가 없습니다.',
    done: (p) =>
      `이제 ${p.name} (\`${p.id}\`) 님이 저에게 다이렉트 메시지를 보낼 수 있으며, 본인에게도 알립니다. \`/pair revoke ${p.id}\`로 취소할 수 있습니다.`,
    doneUntold: (p) =>
      `이제 ${p.name} (\`${p.id}\`) 님이 저에게 다이렉트 메시지를 보낼 수 있지만 본인에게 알리지 못했습니다. 직접 알려 주세요. \`/pair revoke ${p.id}\`로 취소할 수 있습니다.`,
    welcome: () =>
      '관리자가 승인했습니다. 이제 여기서 메시지를 보내실 수 있습니다. `/help`로 사용법을 볼 수 있습니다.',
    denied: (p) =>
      `${p.name} (\`${p.id}\`) 님의 요청을 거절했습니다. 본인에게도 알리며, 하루가 지나면 다시 요청할 수 있습니다.`,
    denyUsage: () =>
      '`/pair deny ABCD2345`처럼 코드를 지정해 주세요. `/pair`로 기다리는 사용자를 볼 수 있습니다.',
    unknown: (p) =>
      `코드 \`${p.code}\`로 기다리는 사용자가 없습니다. 코드가 틀렸거나 이미 사용되었거나 한 시간이 지났습니다. \`/pair\`로 기다리는 사용자를 볼 수 있습니다.`,
    revoked: (p) => `이제 \`${p.id}\` 사용자는 저에게 다이렉트 메시지를 보낼 수 없습니다.`,
    notPaired: (p) =>
      `\`${p.id}\` 사용자는 코드로 승인된 적이 없어 취소할 것이 없습니다. 설정에서 허용한 사용자는 설정에서 제외해 주세요.`,
    revokeUsage: () => '`/pair revoke discord:123456789`처럼 사용자를 지정해 주세요.',
  },
};

export const gateTexts = localized({ en: gatesEn, ko: gatesKo });
