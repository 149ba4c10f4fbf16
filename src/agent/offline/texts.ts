import { localized } from '#src/kernel/locale.ts';
import type { SentenceHint, SentenceTalk } from '#src/kernel/agent/sentence.ts';

type Talk = (params: Examples & { readonly words: string }) => string;
type Example = (params: { readonly name: string }) => string;
interface Examples {
  /** Requests that a person can type as they are. */
  readonly examples: string;
}

/** The sentences of the offline model. */
const offlineEn = {
  note: () => '_Answered by rules, without AI._',
  notAsAsked: () =>
    'I could not do that as you wrote it. Please write it another way; `/help` shows examples.',
  notAllowed: () => 'I did not do that: it is not allowed here.',
  failed: () => 'I could not look that up just now. Please try again in a moment.',
  missed: ({ words, examples }: Examples & { readonly words: string }) =>
    `I didn't get "${words}". Try: ${examples}`,
  inDirect: () => 'Your portfolio, alerts, watchlist and briefings are for you alone: DM me for them.',
  /** In place of the sentence above, where a button can be answered to one person alone. */
  onlyMe: () => 'Press the button, and I open this here for you alone.',
  openOnlyMe: () => 'Only me',
  refused: () => 'OK, I did not do it.',
  notDone: () => 'I did not do that, because nobody approved it. Please ask again if you still want it.',
  maybeDone: () =>
    'That was cut off in the middle, and I do not know whether it took effect. Please check before you ask again.',
  talk: {
    greeting: ({ examples }: Examples) =>
      `Hello! I'm FinClaw: prices, charts, news and rates, and your portfolio, alerts and briefings. Try ${examples}, or \`/help\`.`,
    who: ({ examples }: Examples) =>
      `I'm FinClaw, a bot for markets and portfolios. Right now I answer by rules, without AI. Try ${examples}, or \`/help\`.`,
    loss: ({ examples }: Examples) =>
      `Sorry to hear that; losses are hard. I give no advice, but I can show where things stand: ${examples}`,
    thanks: () => 'You are welcome.',
    bye: () => 'Goodbye! Alerts and briefings go on without you.',
    idle: () => 'All right. What would you like to know?',
    complaint: ({ examples }: Examples) =>
      `Sorry about that. Plain requests work best: ${examples}. If a number is wrong, tell me which one. With a Claude or GPT key (\`/keys\`) I understand far more.`,
    language: () =>
      'I answer in the language you write in. To keep one language whatever you write: `/profile language en` (English) or `/profile language ko` (Korean).',
    unknown: ({ examples }: Examples) => `I didn't get that. Try: ${examples}`,
    advice: ({ examples }: Examples) =>
      `I give no advice or forecasts; that's your call. Facts I can show: ${examples}`,
    trade: () =>
      'What was it, how many, and at what price? For example "I bought 10 AAPL at 180". (I only keep a record and place no orders.)',
    alert: () =>
      'What shall I wait for? For example: "Tell me when AAPL rises 5%", or `/alert AAPL -3%`. A price works, too: `/alert` with the name, `>` or `<`, and the price.',
    when: () =>
      'At what time would you like the briefing? For example: "Send me a briefing at 08:30 on weekdays". For one right now, use `/briefing now`.',
    now: () => 'For a briefing right now, send `/briefing now`.',
    weekly: () => 'Weekly bars start at five years; shorter charts are daily.',
    covers: () => 'Showing the nearest range that I have.',
    /** Said only if the answer contains no premium. */
    premium: () => 'No kimchi premium right now: it needs real prices from Korea and abroad. The coins:',
    movers: () => 'I have no list of gainers and losers. The markets:',
    which: () =>
      'Which stock, coin or currency do you mean? For example: "How much is Apple?" or "chart of Apple".',
    entries: () => 'Every single entry, with its number, is shown by `/portfolio history`.',
    'undo-all': () =>
      'Entries are taken back one at a time: `/portfolio history` shows their numbers, and `/portfolio undo 3` takes one back. `/portfolio delete` deletes a whole portfolio.',
    'undo-which': () =>
      'Which entry shall I take back? `/portfolio history` shows them with their numbers; then say "undo entry 3" or send `/portfolio undo 3`.',
    'how-many': () =>
      'How many were they? I recorded nothing yet: please tell me the trade once more with the number of shares or coins, for example "I bought 10 AAPL for $1,800".',
    number: ({ words }: { readonly words: string }) =>
      `I could not read the number "${words}", so I recorded nothing. Please write it in full, for example 1200 or 1.2k.`,
    'no-such-day': () =>
      'There is no such day in the calendar, so I recorded nothing. Please tell me the trade once more with the right date.',
    'which-day': () =>
      'On which day was it? I recorded nothing yet: please tell me each trade once more with its date, for example "I bought 10 AAPL at 180 on November 3".',
    'which-way': () =>
      'Did you buy or sell that money? I recorded nothing yet: please say for example "I bought 1000 dollars at 1450 won" or "I sold 1000 dollars at 1450 won".',
    'future-day': () =>
      'That day is still to come, so I recorded nothing. Please tell me the trade once it is done, or with the right date.',
    real: () =>
      'Yes, these are real prices: each answer says its source and its time, and they may be delayed by some minutes.',
    sample: () =>
      'No, these are made-up sample prices, and every answer with one says so. For real ones, the operator sets `FINCLAW_MARKET=yahoo`.',
    free: () =>
      'I am free and open source. Only an AI model costs something, if the operator has added a key for one; without it I answer by rules.',
    key: () =>
      'A Claude or OpenAI key makes me understand far more. The operator sets `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` where I run; never send a key in the chat.',
    model: () =>
      'Right now no AI model answers you, but rules that run here. With a Claude or GPT key the operator switches one on, and `/model` shows and changes it.',
    cost: () => 'Answers by rules cost nothing. What AI models have used and cost stands in `/usage`.',
    delete: () =>
      'You can have everything deleted that I store about you: `/privacy delete` asks once more, then it is gone. Single alerts and entries are deleted where they stand.',
    privacy: () =>
      'I store our conversation, your portfolio, alerts and settings, and nobody else reads them. `/privacy` shows all of it, exports and deletes it.',
    zone: () =>
      'Your time zone is set with `/profile timezone`, for example `/profile timezone America/New_York`. Alerts and briefings then follow it.',
    start: () =>
      'Ask for a price ("Apple price"), tell me what you hold ("I bought 10 AAPL at 180") and set an alert ("tell me when Apple falls 5%"). That is all you need to begin.',
    help: ({ examples }: Examples) =>
      `Prices, charts, news, rates and market hours, and your portfolio, alerts and briefings. Try ${examples}, or \`/help\`.`,
    cannot: ({ examples }: Examples) =>
      `I cannot do that: I place no orders and know only prices, figures and news of markets, and what you record. I can do this: ${examples}`,
    operator: () =>
      'The operator page shows the running bot. `/dashboard` gives operators its address and a login code.',
    guess: () => 'Did you mean one of these?',
    term: () => 'I have no explanation of that word yet.',
    why: () => 'No source confirms the cause. Here are the move and the headlines:',
    elsewhere: () => 'I write only here, not by text message, e-mail or another messenger.',
    'also-set': () => 'The alert from before stays until you delete it: `/alerts`.',
    recorded: () =>
      'That is recorded already. Undo it first, then tell me the whole trade once more with the right values.',
  } satisfies Readonly<Record<SentenceTalk, Talk>>,
  /** The name in examples if the person named nothing. */
  exampleName: () => 'Apple',
  examples: {
    quote: ({ name }) => `"${name} price"`,
    chart: ({ name }) => `"1-year chart of ${name}"`,
    news: ({ name }) => `"${name} news"`,
    figures: ({ name }) => `"${name} P/E"`,
    history: ({ name }) => `"${name} on 1 October"`,
    compare: ({ name }) => `"compare ${name} and S&P 500"`,
    convert: () => '"100 dollars in won"',
    calculate: () => '"15% of 240"',
    hours: () => '"is the US market open?"',
    time: () => '"what time is it in New York?"',
    market: () => '"how is the market today?"',
    crypto: () => '"how is crypto doing?"',
    portfolio: () => '"show my portfolio"',
    trade: () => '"I bought 10 AAPL at 180"',
    alert: ({ name }) => `"tell me when ${name} rises 5%"`,
    briefing: () => '"send me a briefing at 8:30 on weekdays"',
    watchlist: ({ name }) => `"add ${name} to my watchlist"`,
    earnings: ({ name }) => `"when does ${name} report earnings?"`,
  } satisfies Readonly<Record<SentenceHint, Example>> as Readonly<Record<SentenceHint, Example>>,
};

const offlineKo: typeof offlineEn = {
  note: () => '_AI 없이 규칙으로 답하는 중이에요._',
  notAsAsked: () => '그대로는 할 수 없었어요. 다르게 적어 주시거나 `/help`에서 예시를 봐 주세요.',
  notAllowed: () => '여기서는 쓸 수 없는 기능이라 하지 않았어요.',
  failed: () => '지금은 조회하지 못했어요. 잠시 후 다시 물어봐 주세요.',
  missed: ({ words, examples }) => `"${words}" 부분은 이해하지 못했어요. 이렇게 물어봐 주세요: ${examples}`,
  inDirect: () => '포트폴리오, 알림, 관심 종목, 브리핑은 나만 보는 정보라 DM에서 도와드릴게요.',
  onlyMe: () => '버튼을 누르면 여기서 나만 보이게 열어 드릴게요.',
  openOnlyMe: () => '나만 보기',
  refused: () => '네, 하지 않았어요.',
  notDone: () => '허락을 받지 못해 실행하지 않았어요. 원하시면 다시 요청해 주세요.',
  maybeDone: () => '도중에 중단되어 반영되었는지 알 수 없어요. 다시 요청하시기 전에 먼저 확인해 주세요.',
  talk: {
    greeting: ({ examples }) =>
      `안녕하세요, FinClaw예요! 시세, 차트, 뉴스, 환율을 찾아 드리고 포트폴리오, 알림, 브리핑도 챙겨 드려요. ${examples}처럼 물어보거나 \`/help\`를 입력해 보세요.`,
    who: ({ examples }) =>
      `시장과 포트폴리오를 다루는 봇 FinClaw예요. 지금은 AI 없이 규칙으로 답해요. ${examples}처럼 물어보거나 \`/help\`를 입력해 보세요.`,
    loss: ({ examples }) =>
      `많이 속상하시겠어요. 조언은 못 드리지만 지금 상황은 바로 보여 드릴게요. 예: ${examples}`,
    thanks: () => '도움이 됐다니 기뻐요.',
    bye: () => '안녕히 계세요! 알림과 브리핑은 계속 보내 드릴게요.',
    idle: () => '네! 무엇을 알려 드릴까요?',
    complaint: ({ examples }) =>
      `죄송해요. 지금은 간단한 요청을 가장 잘 알아들어요. 예: ${examples}. 숫자가 틀렸다면 어떤 숫자인지 알려 주세요. \`/keys\`로 Claude나 GPT 키를 등록하면 훨씬 많이 이해해요.`,
    language: () =>
      '쓰신 언어로 대답해 드려요. 항상 한 언어로 받으려면 `/profile 언어 영어` 또는 `/profile 언어 한국어`를 입력해 주세요.',
    unknown: ({ examples }) => `아직 그 말은 이해하지 못해요. 이렇게 물어봐 주세요: ${examples}`,
    advice: ({ examples }) =>
      `투자 조언이나 전망은 드리지 않아요. 대신 이런 건 보여 드릴 수 있어요: ${examples}`,
    trade: () =>
      '무엇을 몇 주, 얼마에 거래하셨나요? 예: "삼성전자 10주 71000원에 샀어". (기록만 해요. 주문은 하지 않아요.)',
    alert: () =>
      '어떤 조건이 되면 알려 드릴까요? 예: "애플 5% 오르면 알려줘" 또는 `/alert AAPL -3%`. 가격으로도 돼요: "애플 (가격)달러 넘으면 알려줘"',
    when: () =>
      '브리핑을 몇 시에 보내 드릴까요? 예: "평일 아침 8시 반에 브리핑 보내줘". 지금 바로 받으려면 `/briefing now`를 입력해 주세요.',
    now: () => '지금 바로 받으려면 `/briefing now`를 입력해 주세요.',
    weekly: () => '주봉은 5년 차트부터 볼 수 있어요. 그보다 짧으면 일봉이에요.',
    covers: () => '꼭 그 기간은 없어서 가장 가까운 기간으로 보여 드려요.',
    premium: () => '국내외 실제 시세가 없어서 김치 프리미엄은 알 수 없어요. 대신 코인 시세예요.',
    movers: () => '급등·급락 순위 자료는 없어요. 대신 시장 현황이에요.',
    which: () => '어떤 종목, 코인, 통화인가요? 예: "삼성전자 지금 얼마야?", "삼성전자 차트"',
    entries: () => '거래 하나하나는 번호와 함께 `/portfolio history`에서 보실 수 있어요.',
    'undo-all': () =>
      '기록은 한 번에 하나씩만 되돌릴 수 있어요. `/portfolio history`에서 번호를 확인하고 `/portfolio undo 3`처럼 입력해 주세요. 포트폴리오 전체를 지우려면 `/portfolio delete`를 사용해 주세요.',
    'undo-which': () =>
      '어느 기록을 되돌릴까요? `/portfolio history`에서 번호를 확인하신 뒤 "3번 거래 취소해줘"라고 하시거나 `/portfolio undo 3`을 입력해 주세요.',
    'how-many': () =>
      '몇 주(몇 개)였나요? 아직 아무것도 기록하지 않았어요. "카카오 100주 500만원어치 샀어"처럼 수량까지 넣어 다시 말씀해 주세요.',
    number: ({ words }) =>
      `"${words}"라는 숫자를 읽지 못해 기록하지 않았어요. 1200이나 1.2k처럼 다시 적어 주세요.`,
    'no-such-day': () =>
      '달력에 없는 날짜라서 기록하지 않았어요. 날짜를 확인하신 뒤 거래를 다시 말씀해 주세요.',
    'which-day': () =>
      '언제 거래하셨나요? 날짜가 분명하지 않아 아직 기록하지 않았어요. "11월 3일에 삼성전자 10주 71000원에 샀어"처럼 거래마다 날짜를 넣어 다시 말씀해 주세요.',
    'which-way': () =>
      '그 돈을 사셨나요, 파셨나요? 분명하지 않아 아직 기록하지 않았어요. "1000달러를 1450원에 샀어" 또는 "1000달러를 1450원에 팔았어"처럼 다시 말씀해 주세요.',
    'future-day': () =>
      '아직 오지 않은 날짜라서 기록하지 않았어요. 거래하신 뒤에, 또는 맞는 날짜로 다시 말씀해 주세요.',
    real: () => '네, 실제 시세예요. 답마다 출처와 시각이 있고, 몇 분 늦을 수 있어요.',
    sample: () =>
      '아니요, 지금은 지어낸 샘플 시세예요. 샘플인 답에는 그렇게 표시돼요. 실제 시세는 운영자가 `FINCLAW_MARKET=yahoo`로 켤 수 있어요.',
    free: () =>
      '저는 무료 오픈소스예요. 운영자가 키를 넣은 AI 모델만 비용이 들고, 키가 없으면 규칙으로 답해요.',
    key: () =>
      'Claude나 OpenAI 키가 있으면 훨씬 많이 알아들어요. 운영자가 실행 환경에 `ANTHROPIC_API_KEY`나 `OPENAI_API_KEY`를 넣으면 돼요. 키를 채팅에 올리지는 마세요.',
    model: () =>
      '지금은 AI 모델 없이 여기서 도는 규칙이 답하고 있어요. Claude나 GPT 키를 넣으면 켜지고, `/model`에서 보고 바꿀 수 있어요.',
    cost: () => '규칙으로 답하는 건 비용이 없어요. AI 모델의 사용량과 비용은 `/usage`에 있어요.',
    delete: () =>
      '저장된 내 정보를 모두 지울 수 있어요. `/privacy delete`라고 하면 한 번 더 물어본 뒤 지워요. 알림이나 기록 하나는 각 목록에서 지울 수 있어요.',
    privacy: () =>
      '대화, 포트폴리오, 알림, 설정을 저장하고 다른 사람은 보지 못해요. `/privacy`에서 모두 보고, 파일로 받고, 지울 수 있어요.',
    zone: () =>
      '시간대는 `/profile timezone`에서 바꿔요. 예: `/profile timezone Asia/Seoul`. 알림과 브리핑도 그 시간을 따라요.',
    start: () =>
      '시세를 묻고("삼성전자 얼마야?"), 가진 걸 알려 주고("삼성전자 10주 71000원에 샀어"), 알림을 걸면("애플 5% 떨어지면 알려줘") 돼요. 이 세 가지면 시작할 수 있어요.',
    help: ({ examples }) =>
      `시세, 차트, 뉴스, 환율, 장 시간을 찾아 드리고 포트폴리오, 알림, 브리핑을 챙겨 드려요. ${examples}처럼 물어보거나 \`/help\`를 보세요.`,
    cannot: ({ examples }) =>
      `그건 제가 못 하는 일이에요. 주문은 넣지 않고, 시세·지표·뉴스와 기록하신 것만 알아요. 이런 건 할 수 있어요: ${examples}`,
    operator: () =>
      '운영 페이지에서 봇의 상태를 볼 수 있어요. 운영자가 `/dashboard`를 쓰면 주소와 로그인 코드가 나와요.',
    guess: () => '이 중에 찾으시는 게 있나요?',
    term: () => '그 말의 설명은 아직 없어요.',
    why: () => '원인은 확인되지 않았어요. 대신 움직임과 뉴스예요.',
    elsewhere: () => '카톡, 문자, 메일로는 못 보내고 여기로 보내 드려요.',
    'also-set': () => '앞에 건 알림은 그대로 있어요. 지우시려면 `/alerts`를 봐 주세요.',
    recorded: () => '이미 기록했어요. 먼저 취소하신 뒤, 맞는 값으로 거래 전체를 다시 말씀해 주세요.',
  },
  exampleName: () => '삼성전자',
  examples: {
    quote: ({ name }) => `"${name} 얼마야?"`,
    chart: ({ name }) => `"${name} 1년 차트"`,
    news: ({ name }) => `"${name} 뉴스"`,
    figures: ({ name }) => `"${name} PER 알려줘"`,
    history: ({ name }) => `"10월 1일 ${name} 종가"`,
    compare: ({ name }) => `"${name} 코스피 비교"`,
    convert: () => '"100달러 원화로"',
    calculate: () => '"10만원의 15%"',
    hours: () => '"미국장 언제 열어?"',
    time: () => '"뉴욕 지금 몇 시야?"',
    market: () => '"오늘 시장 어때?"',
    crypto: () => '"코인 시장 어때?"',
    portfolio: () => '"내 포트폴리오 보여줘"',
    trade: () => '"삼성전자 10주 71000원에 샀어"',
    alert: ({ name }) => `"${name} 5% 오르면 알려줘"`,
    briefing: () => '"평일 아침 8시 반에 브리핑 보내줘"',
    watchlist: ({ name }) => `"관심종목에 ${name} 추가"`,
    earnings: ({ name }) => `"${name} 실적 발표 언제야?"`,
  },
};

export const offlineTexts = localized({ en: offlineEn, ko: offlineKo });
