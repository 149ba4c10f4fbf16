import type { HomeQuestionId } from '#src/kernel/people/home.ts';
import { localized } from '#src/kernel/locale.ts';

interface Count {
  readonly count: number;
}

interface Zone {
  readonly zone: string;
  /** The time there. */
  readonly clock: string;
  /** How the zone is known. */
  readonly from: string;
}

type Question = Readonly<Record<'label' | 'field' | 'example', string>>;

const questionsEn: Readonly<Record<HomeQuestionId, Question>> = {
  ask: { label: 'Ask FinClaw', field: 'Your question', example: 'What is Apple trading at?' },
  trade: {
    label: 'Record a purchase',
    field: 'What, how many, at what price',
    example: 'AAPL 10 180.50',
  },
  watch: { label: 'Watch', field: 'Names or codes', example: 'AAPL, TSLA, BTC' },
  alert: { label: 'New alert', field: 'When should I tell you?', example: 'AAPL > 200' },
  briefing: { label: 'New briefing', field: 'Time and days', example: '08:30 weekdays' },
  zone: { label: 'Change time zone', field: 'City or zone', example: 'New York' },
};

const homeEn = {
  closed: () => 'Not open to you yet',
  portfolio: () => 'Portfolio',
  watchlist: () => 'Watchlist',
  alerts: () => 'Alerts',
  briefings: () => 'Briefings',
  settings: () => 'Settings',
  questions: questionsEn,
  /** Shown instead of prices that did not come in time. */
  late: () => 'Prices are taking longer than usual. They appear here as soon as they arrive.',
  failed: () => 'This could not be loaded just now. Please refresh in a moment.',
  more: (p: Count) => `… and ${p.count} more`,
  noAlerts: () =>
    'You have no alerts. I watch prices, indicators and news for you and write to you directly.',
  noBriefings: () => 'You have no briefings. I can send you the markets and your holdings every morning.',
  delete: () => 'Delete',
  language: (p: { readonly name: string }) => `Language: **${p.name}**`,
  languageOfMessage: () => 'as in each message',
  automatic: () => 'Automatic',
  zone: (p: Zone) => `Time zone: **${p.zone}** (${p.clock}, ${p.from})`,
  help: () => 'What can you do?',
  made: (p: { readonly at: string }) => `As of ${p.at}. Only you see this page.`,
};

const homeKo: typeof homeEn = {
  closed: () => '아직 사용할 수 없습니다',
  portfolio: () => '포트폴리오',
  watchlist: () => '관심 종목',
  alerts: () => '알림',
  briefings: () => '브리핑',
  settings: () => '설정',
  questions: {
    ask: { label: 'FinClaw에 질문', field: '질문', example: '삼성전자 지금 얼마야?' },
    trade: { label: '매수 기록', field: '종목, 수량, 단가', example: '삼성전자 10 71500' },
    watch: { label: '관심 종목 추가', field: '종목명이나 코드', example: '삼성전자, AAPL, BTC' },
    alert: { label: '새 알림', field: '언제 알려 드릴까요?', example: '삼성전자 8만원 이상' },
    briefing: { label: '새 브리핑', field: '시각과 요일', example: '8:30 평일' },
    zone: { label: '시간대 변경', field: '도시나 시간대', example: '서울' },
  },
  late: () => '시세를 가져오는 데 평소보다 오래 걸립니다. 도착하는 대로 여기에 표시합니다.',
  failed: () => '지금은 불러오지 못했습니다. 잠시 뒤 새로고침해 주세요.',
  more: (p) => `… 외 ${p.count}개`,
  noAlerts: () =>
    '설정한 알림이 없습니다. 가격, 지표, 뉴스를 대신 지켜보다가 다이렉트 메시지로 알려 드립니다.',
  noBriefings: () => '예약한 브리핑이 없습니다. 매일 아침 시장과 보유 종목을 정리해 보내 드릴 수 있습니다.',
  delete: () => '삭제',
  language: (p) => `언어: **${p.name}**`,
  languageOfMessage: () => '메시지의 언어를 따름',
  automatic: () => '자동',
  zone: (p) => `시간대: **${p.zone}** (${p.clock}, ${p.from})`,
  help: () => '무엇을 할 수 있나요?',
  made: (p) => `${p.at} 기준이며, 본인에게만 보입니다.`,
};

export const homeTexts = localized({ en: homeEn, ko: homeKo });
