import { localized } from '#src/kernel/locale.ts';

const en = {
  /** For a slash command that Slack has registered for the app and the bot does not know. */
  unknownCommand: (p: { readonly typed: string }) =>
    `I do not know ${p.typed}. Type \`/finclaw help\` to see what I can do.`,
  formWorking: () => 'One moment…',
  formClose: () => 'Close',
  /** The question before something is deleted. */
  sure: () => 'Are you sure?',
  sureOf: (p: { readonly what: string }) => `This deletes: ${p.what}`,
  send: () => 'Send',
  mayNotWrite: (p: { readonly chat: string }) =>
    `${p.chat} does not let me write, so here is the answer. Its managers can let me post there.`,
  threadLocked: () => 'That thread is locked, so here is the answer.',
  channelArchived: (p: { readonly chat: string }) => `${p.chat} is archived, so here is the answer.`,
  placeRefuses: (p: { readonly chat: string }) => `${p.chat} does not take the answer, so here it is.`,
  /** Above a question with buttons. */
  decideHere: (p: { readonly chat: string }) => `${p.chat} does not let me ask, so please decide here.`,
  /** Where the name of the channel is not known. */
  thatChannel: () => 'That channel',
  /** In the direct chat, before the answer. */
  youAsked: () => 'You asked:',
  tryThese: () => 'For example:',
  prompts: [
    { title: 'Price of Apple', message: 'What is Apple trading at?' },
    { title: 'Markets today', message: 'How are the markets today?' },
    { title: 'My portfolio', message: 'Show my portfolio' },
    { title: 'Compare two stocks', message: 'Compare Apple and Nvidia over one year' },
  ],
};

const ko: typeof en = {
  unknownCommand: (p) =>
    `${p.typed} 명령은 없습니다. \`/finclaw help\`를 입력하면 할 수 있는 일을 보여 드립니다.`,
  formWorking: () => '잠시만 기다려 주세요…',
  formClose: () => '닫기',
  sure: () => '정말 진행할까요?',
  sureOf: (p) => `삭제할 항목: ${p.what}`,
  send: () => '보내기',
  mayNotWrite: (p) =>
    `${p.chat}에 글을 쓸 권한이 없어 여기로 답변을 보냅니다. 그 채널에서 답변을 받으려면 채널 관리자가 게시 권한을 주어야 합니다.`,
  threadLocked: () => '그 스레드가 잠겨 있어 여기로 답변을 보냅니다.',
  channelArchived: (p) => `${p.chat} 채널이 보관되어 여기로 답변을 보냅니다.`,
  placeRefuses: (p) => `${p.chat}에 답변을 올릴 수 없어 여기로 보냅니다.`,
  decideHere: (p) => `${p.chat}에는 질문을 올릴 수 없으니 여기에서 결정해 주세요.`,
  thatChannel: () => '그 채널',
  youAsked: () => '질문:',
  tryThese: () => '이렇게 물어보세요',
  prompts: [
    { title: '삼성전자 시세', message: '삼성전자 지금 얼마야?' },
    { title: '오늘의 시장', message: '오늘 시장 어때?' },
    { title: '내 포트폴리오', message: '내 포트폴리오 보여 줘' },
    { title: '두 종목 비교', message: '애플이랑 엔비디아 최근 1년 비교해 줘' },
  ],
};

export const slackTexts = localized({ en, ko });
