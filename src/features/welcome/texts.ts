import { localized } from '#src/kernel/locale.ts';

const welcomeEn = {
  /** In a server or channel. */
  chat: () =>
    'Hi, I am FinClaw. Mention me with a question about markets, or use a command: `/help` lists them. For what only you should see, write to me directly. Three things to try:',
  /** In a direct chat. */
  person: () =>
    'Hi, I am FinClaw. Ask me about prices, charts, news and your own portfolio in your own words; `/help` lists the commands. Three things to try:',
  askLanguage: () => 'Which language shall I answer in?',
  toTry: () => 'Three things to try:',
  price: () => 'Apple price',
  market: () => 'Market overview',
  chart: () => 'Apple chart',
};

const welcomeKo: typeof welcomeEn = {
  chat: () =>
    '안녕하세요, FinClaw입니다. 저를 멘션해 시장에 대해 물어보시거나 명령어를 써 보세요. 명령어는 `/help`에 모두 있습니다. 본인만 볼 내용은 다이렉트 메시지로 물어봐 주세요. 이렇게 시작해 보세요.',
  person: () =>
    '안녕하세요, FinClaw입니다. 시세, 차트, 뉴스, 내 포트폴리오를 편하게 물어보세요. 명령어는 `/help`에 모두 있습니다. 이렇게 시작해 보세요.',
  askLanguage: () => '어떤 언어로 답해 드릴까요?',
  toTry: () => '이렇게 시작해 보세요.',
  price: () => '삼성전자 시세',
  market: () => '시장 요약',
  chart: () => '삼성전자 차트',
};

export const welcomeTexts = localized({ en: welcomeEn, ko: welcomeKo });
