/** What the offline model says. */
export const offlineEn = {
  note: () => '_Answered by the offline model: it does as it is told, but it does not think or advise._',
  greeting: () =>
    'Hello! I am FinClaw with its offline model: I look up quotes, charts, comparisons, news, key figures, market hours and exchange rates, and I keep your portfolio, alerts, watchlist and briefings. Try "How is Apple doing today?", "1-year chart of Tesla" or `/help`.',
  failed: () => 'I could not look that up just now. Please try again in a moment.',
  thanks: () => 'You are welcome.',
  cannot: () =>
    'I am only the offline model: I look up quotes, charts, comparisons, news, key figures, market hours and exchange rates, and I keep your portfolio, alerts, watchlist and briefings, but I cannot answer this. Try "What is the price of Apple?" or `/help`.',
  noAdvice: () =>
    'I am only the offline model: I neither advise nor forecast. I can look up the facts for you; try "Apple news" or "Apple P/E".',
  inDirect: () =>
    'Your portfolio, alerts, watchlist and briefings are for you alone: please ask me in a direct message.',
  howToRecord: () =>
    'To record a trade, tell me what it was, how many pieces and the price of one in its own currency, for example "I bought 10 AAPL at 180", or use `/portfolio add`. I cannot trade for you.',
  howToAlert: () =>
    'What shall I wait for? For example: "Tell me when AAPL is above 200", or `/alert AAPL > 200`.',
  askTime: () =>
    'At what time would you like the briefing? For example: "Send me a briefing at 08:30 on weekdays". For one right now, use `/briefing now`.',
  briefingNow: () => 'For a briefing right now, send `/briefing now`.',
  notDone: () => 'I did not do that, because it was not allowed. Please ask again if you still want it.',
  maybeDone: () =>
    'That was cut off in the middle, and I do not know whether it took effect. Please check before you ask again.',
  askWhich: () =>
    'Which stock, coin or currency do you mean? For example: "How much is Apple?" or "chart of Apple".',
};

export const offlineKo: typeof offlineEn = {
  note: () => '_오프라인 모델의 답변입니다. 말씀하신 대로 처리할 뿐, 판단하거나 조언하지 않습니다._',
  greeting: () =>
    '안녕하세요! 오프라인 모델로 동작 중인 FinClaw입니다. 시세, 차트, 비교, 뉴스, 재무 지표, 장 시간, 환율을 찾아 드리고 포트폴리오, 알림, 관심 종목, 브리핑을 관리해 드립니다. "삼성전자 지금 얼마야?", "테슬라 1년 차트"처럼 물어보시거나 `/help`를 입력해 주세요.',
  failed: () => '지금은 조회하지 못했습니다. 잠시 후 다시 시도해 주세요.',
  thanks: () => '도움이 되어 기쁩니다.',
  cannot: () =>
    '저는 오프라인 모델이라 시세, 차트, 비교, 뉴스, 재무 지표, 장 시간, 환율을 찾아 드리고 포트폴리오, 알림, 관심 종목, 브리핑을 관리해 드리지만 이 질문에는 답할 수 없습니다. "삼성전자 지금 얼마야?"처럼 물어보시거나 `/help`를 입력해 주세요.',
  noAdvice: () =>
    '저는 오프라인 모델이라 투자 조언이나 전망은 드리지 않습니다. 사실은 찾아 드릴 수 있으니 "삼성전자 뉴스", "삼성전자 PER"처럼 물어봐 주세요.',
  inDirect: () =>
    '포트폴리오, 알림, 관심 종목, 브리핑은 본인만 볼 수 있으니 저와의 개인 대화(DM)에서 말씀해 주세요.',
  howToRecord: () =>
    '거래를 기록하시려면 종목, 수량, 1주당 가격(그 종목의 통화)을 "삼성전자 10주 71000원에 샀어"처럼 알려 주시거나 `/portfolio add`를 사용해 주세요. 대신 사고팔아 드릴 수는 없습니다.',
  howToAlert: () =>
    '어떤 조건이 되면 알려 드릴까요? 예: "애플 200달러 넘으면 알려줘" 또는 `/alert AAPL > 200`',
  askTime: () =>
    '브리핑을 몇 시에 보내 드릴까요? 예: "평일 아침 8시 반에 브리핑 보내줘". 지금 바로 받으시려면 `/briefing now`를 입력해 주세요.',
  briefingNow: () => '지금 바로 받으시려면 `/briefing now`를 입력해 주세요.',
  notDone: () => '허락을 받지 못해 실행하지 않았습니다. 원하시면 다시 요청해 주세요.',
  maybeDone: () => '도중에 중단되어 반영되었는지 알 수 없습니다. 다시 요청하시기 전에 먼저 확인해 주세요.',
  askWhich: () => '어떤 종목, 코인, 통화를 말씀하시나요? 예: "삼성전자 지금 얼마야?", "삼성전자 차트"',
};
