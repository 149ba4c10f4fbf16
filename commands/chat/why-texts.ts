import { counted, localized } from '#src/kernel/locale.ts';

/** What a number is, as `/why` writes it. */
const whyEn = {
  title: (p: { readonly time: string }) => `**Where the numbers come from** — answer of ${p.time}`,
  none: () => 'I have not answered a question in this conversation yet.',
  noneHere: () =>
    'I have not answered a question in this conversation yet. If you mean another answer, send `/why` in its thread or as a reply to it.',
  gone: () =>
    'I no longer have the conversation of that answer, so I cannot say where its numbers come from.',
  other: () => '`/why` explains my answers to questions, and that message is not one of them.',
  noNumbers: () => 'That answer has no numbers that need a source.',
  calculated: (p: { readonly formula: string }) => `calculated: ${p.formula}`,
  derived: () => 'calculated from other numbers of the answer',
  ownNumber: () => 'your own number',
  askersNumber: () => 'a number of the person who asked',
  answered: () => 'from an earlier answer of mine',
  read: () => 'from a page, a file or another text that I read',
  private: () => 'from account data, which I explain in a direct chat only',
  unknown: () => '⚠️ no source found',
  times: (p: { readonly number: string }) => `${p.number}x`,
  period: {
    d: (p: { readonly count: number }) => counted(p.count, 'day'),
    wk: (p: { readonly count: number }) => counted(p.count, 'week'),
    mo: (p: { readonly count: number }) => counted(p.count, 'month'),
    y: (p: { readonly count: number }) => counted(p.count, 'year'),
  },
  ytd: () => 'this year',
  max: () => 'all time',
  since: (p: { readonly day: string }) => `since ${p.day}`,
  more: (p: { readonly count: number }) => `… and ${counted(p.count, 'more number')}`,
  exempt: (p: { readonly count: number }) =>
    `${counted(p.count, 'other number needs', 'other numbers need')} no source: list numbers, periods, parts of names and the like.`,
  unchecked: (p: { readonly count: number }) =>
    `The answer is so long that ${counted(p.count, 'number was', 'numbers were')} not checked.`,
};

const whyKo: typeof whyEn = {
  title: (p) => `**숫자의 근거** — ${p.time} 답변`,
  none: () => '이 대화에는 아직 답변이 없습니다.',
  noneHere: () =>
    '이 대화에는 아직 답변이 없습니다. 다른 답변이 궁금하시면 그 스레드에서, 또는 그 답변에 답장으로 `/why`를 보내 주세요.',
  gone: () => '그 답변의 대화 기록이 남아 있지 않아 숫자의 근거를 알려 드릴 수 없습니다.',
  other: () => '`/why`는 질문에 대한 답변의 근거를 알려 드립니다. 그 메시지는 질문에 대한 답변이 아닙니다.',
  noNumbers: () => '그 답변에는 근거를 확인할 숫자가 없습니다.',
  calculated: (p) => `계산: ${p.formula}`,
  derived: () => '답변의 다른 숫자로 계산한 값',
  ownNumber: () => '직접 말씀하신 숫자',
  askersNumber: () => '질문한 분이 말한 숫자',
  answered: () => '앞선 답변에 있던 숫자',
  read: () => '페이지나 파일 등에서 읽은 숫자',
  private: () => '개인 데이터에서 나온 숫자라 다이렉트 메시지에서만 알려 드립니다',
  unknown: () => '⚠️ 근거를 찾지 못했습니다',
  times: (p) => `${p.number}배`,
  period: {
    d: (p) => `${p.count}일`,
    wk: (p) => `${p.count}주`,
    mo: (p) => `${p.count}개월`,
    y: (p) => `${p.count}년`,
  },
  ytd: () => '올해',
  max: () => '전체 기간',
  since: (p) => `${p.day} 이후`,
  more: (p) => `… 외 ${p.count.toLocaleString('ko-KR')}개`,
  exempt: (p) =>
    `목록 번호, 기간, 이름에 든 숫자처럼 근거가 필요 없는 숫자가 ${p.count.toLocaleString('ko-KR')}개 더 있습니다.`,
  unchecked: (p) => `답변이 길어 숫자 ${p.count.toLocaleString('ko-KR')}개는 확인하지 못했습니다.`,
};

export const whyTexts = localized({ en: whyEn, ko: whyKo });
