/** What the offline model says. */
export const offlineEn = {
  note: () => '_Answered by the offline model: it looks things up, but it does not think or advise._',
  greeting: () =>
    'Hello! I am FinClaw with its offline model: I look up quotes, charts, comparisons, news, key figures, market hours and exchange rates. Try "How is Apple doing today?", "1-year chart of Tesla" or `/help`.',
  failed: () => 'I could not look that up just now. Please try again in a moment.',
  thanks: () => 'You are welcome.',
  cannot: () =>
    'I am only the offline model: I look up quotes, charts, comparisons, news, key figures, market hours and exchange rates, but I cannot answer this. Try "What is the price of Apple?" or `/help`.',
  noAdvice: () =>
    'I am only the offline model: I neither advise nor forecast. I can look up the facts for you; try "Apple news" or "Apple P/E".',
  askWhich: () =>
    'Which stock, coin or currency do you mean? For example: "How much is Apple?" or "chart of Apple".',
};

export const offlineKo: typeof offlineEn = {
  note: () => '_오프라인 모델의 답변입니다. 조회만 할 뿐, 판단하거나 조언하지 않습니다._',
  greeting: () =>
    '안녕하세요! 오프라인 모델로 동작 중인 FinClaw입니다. 시세, 차트, 비교, 뉴스, 재무 지표, 장 시간, 환율을 찾아 드립니다. "삼성전자 지금 얼마야?", "테슬라 1년 차트"처럼 물어보시거나 `/help`를 입력해 주세요.',
  failed: () => '지금은 조회하지 못했습니다. 잠시 후 다시 시도해 주세요.',
  thanks: () => '도움이 되어 기쁩니다.',
  cannot: () =>
    '저는 오프라인 모델이라 시세, 차트, 비교, 뉴스, 재무 지표, 장 시간, 환율은 찾아 드리지만 이 질문에는 답할 수 없습니다. "삼성전자 지금 얼마야?"처럼 물어보시거나 `/help`를 입력해 주세요.',
  noAdvice: () =>
    '저는 오프라인 모델이라 투자 조언이나 전망은 드리지 않습니다. 사실은 찾아 드릴 수 있으니 "삼성전자 뉴스", "삼성전자 PER"처럼 물어봐 주세요.',
  askWhich: () => '어떤 종목, 코인, 통화를 말씀하시나요? 예: "삼성전자 지금 얼마야?", "삼성전자 차트"',
};
