import { describe, expect, it } from 'vitest';
import { readYesNo } from '#src/reading/yes-no.ts';
import { everyRow } from '#test/support/every-row.ts';

/** Texts, separated by ` | ` or line ends. */
const table = (texts: string): readonly string[] =>
  texts
    .split(/ \| |\n/u)
    .map((text) => text.trim())
    .filter((text) => text !== '');

const YES = table(`
  y | Y | yes | YES | Yes. | yes!! | yesss | yeah | yep | yup | ok | OK | Okay | o.k. | k | kk
  sure | sure thing | of course | absolutely | go ahead | Go ahead! | do it | just do it
  please do | confirm | approved | yes please | Yes, please! | please | yes, thank you | ok thanks
  let's do it | that's right | yes that is correct | yes, record it | um, yes | oh ok
  actually yes | yes yes yes | sounds good | yes, go ahead and do it | I agree | I'm sure | ｙｅｓ
  **yes** | finclaw yes | yesyes | 네 | 넵 | 넹 | 예 | 응 | ㅇㅇ | ㅇ | ㅇㅋ | 그래 | 좋아 | 맞아 | 해줘 | 해 줘 | 진행해
  진행해 주세요 | 승인 | ㅛ | 네네 | 네네네 | 응응 | ㅇㅇㅇㅇ | 넵넵 | 네~ | 네!! | 네. | 네에에 | 네 부탁드려요 | 부탁드립니다 | 네, 감사합니다
  그래요 | 좋습니다 | 맞아요 | 오케이 | 오키 | 콜 | ㄱㄱ | 고고 | 당연하지 | 물론이죠 | 그렇게 해줘 | 그냥 해줘 | 그래도 해줘 | 음 네 | 아 네
  어 그래 | 네 기록해줘 | 네 저장해 주세요 | 응 빨리 해줘 | 네해줘 | ㅇㅇ해줘 | ok요 | 동의합니다 | ㅛㄷㄴ | 👍 | 👍🏽 | 👌 | ✅ | ✔️ | 네 👍
  :+1: | :white_check_mark: | :+1::skin-tone-3: | 네 ㅋㅋ | 네 ㅎㅎ
`);

const NO = table(`
  n | N | no | No. | nope | nah | nooo | no no no | no! | no thanks | no, thank you | cancel
  cancel it | don't | don’t | don't do it | do not do that | please don't | don't record it | stop
  stop it | never mind | nevermind | not ok | not okay | not good | no way | absolutely not
  of course not | forget it | sorry, no | actually no | never | 아니 | 아니요 | 아니오 | 아뇨 | ㄴㄴ | ㄴ | ㅜ
  ㅜㅐ | 취소 | 취소해줘 | 취소 해줘 | 하지마 | 하지 마 | 하지 마세요 | 됐어 | 됐어요 | 싫어 | 그만 | 그만해 | 안 돼 | 안돼요 | 안 할래
  그래도 싫어 | 아니아니 | 노노 | 아니요 괜찮아요 | 아니 됐어 | 기록하지 마 | 저장하지마세요 | 필요 없어 | 거절 | 음 아니 | 아 싫어 | 절대 안 돼
  안 좋아 | 아니에요 | 아니요, 감사합니다 | 👎 | ❌ | 🙅 | :-1: | :x: | no ❌
`);

const UNCLEAR: readonly (readonly [string, string])[] = [
  ['no yes', 'both'],
  ['yes no', 'both'],
  ['y/n', 'both'],
  ['아니 좋아', 'both'],
  ['아니 해줘', 'both'],
  ['아니해줘', 'both'],
  ['네 아니요', 'both'],
  ['그래 싫어', 'both'],
  ['네 취소해줘', 'both'],
  ['no, go ahead', 'both'],
  ['👍👎', 'both'],
  ['maybe', 'hedged'],
  ['maybe not', 'hedged'],
  ['yes maybe', 'hedged'],
  ['not sure', 'hedged'],
  ["I don't know", 'hedged'],
  ['yes i guess', 'hedged'],
  ['why not', 'hedged'],
  ['not now', 'hedged'],
  ['hmm', 'hedged'],
  ['yes but', 'hedged'],
  ["don't stop", 'hedged'],
  ["don't cancel", 'hedged'],
  ['no problem', 'hedged'],
  ["it's ok", 'hedged'],
  ['record it', 'hedged'],
  ['delete it', 'hedged'],
  ['글쎄', 'hedged'],
  ['글쎄요...', 'hedged'],
  ['아마도', 'hedged'],
  ['모르겠어', 'hedged'],
  ['잘 모르겠어요', 'hedged'],
  ['괜찮아요', 'hedged'],
  ['네 괜찮아요', 'hedged'],
  ['알겠습니다', 'hedged'],
  ['나중에', 'hedged'],
  ['잠깐만', 'hedged'],
  ['네 근데', 'hedged'],
  ['취소하지 마', 'hedged'],
  ['음...', 'hedged'],
  ['ㅋㅋㅋ', 'hedged'],
  ['ㅜㅜ', 'hedged'],
  ['기록해줘', 'hedged'],
  ['why?', 'question'],
  ['yes?', 'question'],
  ['really?', 'question'],
  ['what do you mean?', 'question'],
  ['are you sure?', 'question'],
  ['is it ok', 'question'],
  ['왜?', 'question'],
  ['맞지', 'hedged'],
  ['네?', 'question'],
  ['응??', 'question'],
  ['정말?', 'question'],
  ['안 돼?', 'question'],
  ['이게 뭐야', 'question'],
  ['맞나요?', 'question'],
  ['?', 'question'],
  ['', 'unknown'],
  ['...', 'unknown'],
  ['ㅁㄴ', 'unknown'],
  ['q', 'unknown'],
  ['네 ㅁ', 'unknown'],
];

const CHANGES = [
  '네, 근데 5주로',
  '네 근데 5주로 해줘',
  '네 5주로',
  '응 대신 71000원에',
  '네, 테슬라로 해줘',
  '네, 그리고 하이닉스도 기록해줘',
  'yes but 5 shares',
  'Yes, but make it 5',
  'ok, 5 shares at 180',
  'yes if it is below 100',
  '아니 5주',
  '아니 5주야',
  '아니요, 어제 샀어요',
  'no, 5 shares',
  'no I meant Tesla',
  'cancel my alert for AAPL',
];

const OTHERS = table(`
  네이버 얼마야? | 네이버 | 네오위즈 주가 | 넵튠 | 예스24 주가 | 예금 금리 | 예고 | 응원 | 응원해줘 | 그래프 보여줘 | 좋은 뉴스 있어? | OK저축은행
  ok저축은행 얼마야 | 노바백스 | 노바백스 얼마 | 고려아연 주가 | 해외주식 알려줘 | 취소선 | 아니메 | 맞춤형 ETF | 콜마비앤에이치 | sure bet?
  Novavax price | NOK | YESBANK | OKTA | Nokia | no1 | what is the price of Apple? | 5주로 해줘 | 5
  테슬라 얼마야? | 삼성전자 10주 샀어 | /price AAPL | AAPL | ㅅㅅㅈㅈ | why is Tesla down? | should I buy Tesla
  안 샀어
`);

describe('a reply to a question', () => {
  everyRow(YES)('%j is a yes', (text) => {
    expect(readYesNo(text)).toEqual({ kind: 'yes' });
  });

  everyRow(NO)('%j is a no', (text) => {
    expect(readYesNo(text)).toEqual({ kind: 'no' });
  });

  everyRow(UNCLEAR)('%j is unclear (%s)', (text, why) => {
    expect(readYesNo(text)).toEqual({ kind: 'unclear', why });
  });

  everyRow([...OTHERS, ...CHANGES])('%j is not a reply', (text) => {
    expect(readYesNo(text)).toEqual({ kind: 'other' });
  });

  it('reads decomposed Hangul, as some systems write it', () => {
    expect(readYesNo('네'.normalize('NFD'))).toEqual({ kind: 'yes' });
  });

  it('ignores long text', () => {
    expect(readYesNo('yes '.repeat(10_000))).toEqual({ kind: 'other' });
  });
});
