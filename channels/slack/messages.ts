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
  /** In the direct chat, before the answer. */
  youAsked: () => 'You asked:',
  nothingToRead: () => 'There is no text and no file in this message.',
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
  youAsked: () => '질문:',
  nothingToRead: () => '이 메시지에는 읽을 글이나 파일이 없습니다.',
  tryThese: () => '이렇게 물어보세요',
  prompts: [
    { title: '삼성전자 시세', message: '삼성전자 지금 얼마야?' },
    { title: '오늘의 시장', message: '오늘 시장 어때?' },
    { title: '내 포트폴리오', message: '내 포트폴리오 보여 줘' },
    { title: '두 종목 비교', message: '애플이랑 엔비디아 최근 1년 비교해 줘' },
  ],
};

export const slackMessages = localized({ en, ko });
