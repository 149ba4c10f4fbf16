import { foldWidth } from './reading.ts';

/** The meaning of a reply to a yes-or-no question. Act only on `yes`. Ask again on `unclear`, which is never a no. */
export type TypedAnswer =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  | { readonly kind: 'unclear'; readonly why: Unclear }
  /** Not a reply, or not only one: `테슬라 얼마야?`, `네, 근데 5주로`, `no, 5 shares`. */
  | { readonly kind: 'other' };

/** `both`: yes and no. `question`: asks back. `unknown`: not understood. */
export type Unclear = 'both' | 'hedged' | 'question' | 'unknown';

/**
 * `act`: names the action (`기록해줘`, "record it"), a yes only beside a yes. `polite`: a yes only by itself.
 * `doubtful`: used for both yes and no (`괜찮아요`, "no problem"). `but`: announces a change. `negation`: reverses the
 * next word. `both`: says yes and no in one word (`아니해줘`).
 */
type WordClass =
  | 'yes'
  | 'no'
  | 'hedge'
  | 'ask'
  | 'act'
  | 'polite'
  | 'doubtful'
  | 'filler'
  | 'but'
  | 'negation'
  | 'both'
  | 'content';

/** Longer than any reply. Bounds the reading time. */
const MAX_CHARS = 160;
const MAX_PHRASE_WORDS = 5;

const list = (words: string): readonly string[] => words.split(' ');
const combine = (stems: readonly string[], endings: readonly string[]): readonly string[] =>
  stems.flatMap((stem) => endings.map((ending) => `${stem}${ending}`));

const DO_ENDINGS = list(
  '해 해요 해줘 해줘요 해주세요 해주십시오 해주셈 해줭 해라 하세요 하십시오 하셔도돼요 하자 하죠 합시다 할래 할래요 ' +
    '해도돼 해도되 해도돼요 해도됩니다 해도좋아 해도좋아요 해도좋습니다 하면돼 하면돼요 하면됩니다 하도록해 ㄱㄱ 고고',
);
const DO_NOT_ENDINGS = list(
  '하지마 하지마요 하지마라 하지마세요 하지마십시오 하지말아 하지말아줘 하지말아요 하지말아주세요 하지말자 하지말아라 하지않을래 ' +
    '안해 안해요 안할래 안할래요 안할게 안할게요 안합니다 안해도돼 안해도돼요 안해도됩니다 하기싫어 하기싫어요',
);
const ACT_STEMS = list('기록 저장 추가 등록 설정 삭제 처리 반영 적용 입력 변경 수정 매수 매도 보내기 확정');

/** Written without spaces, so that `안 돼` equals `안돼` and "go ahead" "goahead". */
const WORDS: Readonly<Record<Exclude<WordClass, 'content' | 'both'>, readonly string[]>> = {
  yes: [
    ...list(
      'y ye yes yess yea yeah yeh yah ya yep yepp yup aye yessir yas yass k kk ok okk okay okey okie oki okeydokey okiedokie sure ' +
        'surething suredo forsure surely ofcourse ofc absolutely definitely certainly totally affirmative correct right exactly ' +
        'indeed agree agreed iagree iapprove iconfirm iaccept ido iam imsure iamsure approve approved allow allowed allowit ' +
        'accept accepted confirm confirmed goahead goforit go gogo doit dothat dothis dodo pleasedo letsdoit letsdothat letsgo ' +
        'proceed makeitso carryon soundsgood soundsgreat soundsright looksgood looksright lgtm thatsright thatsit thatscorrect ' +
        'fine finebyme finewithme alright allright byallmeans youcan youmay roger rogerthat',
    ),
    ...list(
      '네 넵 넴 넹 넨 네넵 네엡 넷 옙 예 예압 예스 예쓰 얍 응 응응 웅 엉 어어 으응 ㅇ ㅇㅇ ㅇㅋ ㅇㅋㅇㅋ ㅇㅋㄷㅋ ㅇㅇㅋ ㄱ ㄱㄱ ㅛ ㅛㄷㄴ ㅐㅏ ㅔㅔ ㄴㅔ ' +
        '네에 네에에 네엥 네요 네용 예에 응그래 그래 그래요 그랭 그려 그럼요 그럼그럼 그렇지 그렇죠 그렇습니다 그렇다 그러세요 그러자 그러죠 그럽시다 그러시죠 ' +
        '그러도록해 그렇게 그치 좋아 좋아요 좋습니다 좋지 좋죠 좋다 좋네 좋네요 좋소 조아 조아요 맞아 맞아요 맞습니다 맞음 맞다 맞네 ㅁㅈ ' +
        '오케이 오케 오키 오키도키 옼 옼케이 콜 고 고고 ㄱㄱㄱ 당연 당연하지 당연하죠 당연합니다 당근 물론 물론이지 물론이죠 물론입니다 물론이에요 ' +
        '허용 허용해 허용해줘 허락 허락해 허락할게 허락합니다 동의 동의해 동의해요 동의합니다 승인 승인해 승인해줘 승인해주세요 승인할게 승인합니다 확인 ' +
        '찬성 됩니다 돼 돼요 가자 가즈아 진행 실행 진행시켜 하라고 해달라고 네라고 응이라고',
    ),
    ...DO_ENDINGS,
    ...combine(list('진행 실행 그렇게 그대로 그냥 계속 얼른 빨리 바로'), DO_ENDINGS),
  ],
  no: [
    ...list(
      'n no noo nope nop nah naah nay nono noway nothanks nothankyou nothx noneed notok notokay notgood notatall notreally ' +
        'nevermind nvm cancel cancelit cancelthat canceled cancelled stop stopit abort skip skipit refuse deny denied reject ' +
        'rejected decline disagree dont donot dontdoit donotdoit pleasedont hellno forgetit forgetaboutit youmaynot ' +
        'youcannot youcant negative idontwantto idontwantit idonotwantto idonotwantit idontwant idonotwant leaveit leaveitbe ' +
        'absolutelynot definitelynot certainlynot ofcoursenot surelynot idrathernot idisagree',
    ),
    ...list(
      '아니 아니요 아니오 아니용 아니여 아니욤 아뇨 아녀 아냐 아니야 아니에요 아니예요 아닙니다 아님 아니다 아닌데 아닌데요 아니지 아니죠 아녜요 ㄴ ㄴㄴ ㄴㄴㄴ ㅜ ㅜㅐ ㅜㅐㅔㄷ ' +
        '노 노노 놉 노우 취소 취소요 취소해 취소해요 취소해줘 취소해주세요 취소할게 취소할게요 취소할래 취소합니다 취소하자 취소하세요 취소시켜 ' +
        '마 말아 마세요 말아줘 말자 관둬 관두자 그만 그만해 그만해요 그만하자 그만둬 그만둬요 그만하세요 멈춰 중지 중단 됐어 됐어요 됐습니다 됐다 됐거든 댔어 ' +
        '싫어 싫어요 싫습니다 싫다 싫은데 싫은데요 싫음 시러 시러요 안돼 안돼요 안됩니다 안되 안됨 안되지 안되죠 안되요 안좋아 안좋아요 ' +
        '필요없어 필요없어요 필요없습니다 필요없다 거절 거절해 거절할게 거절합니다 거부 거부해 거부합니다 반대 반대해 반대합니다 불허 절대안돼 절대안됨',
    ),
    ...DO_NOT_ENDINGS,
    ...combine([...ACT_STEMS, ...list('진행 실행 승인 허용 허락 동의')], DO_NOT_ENDINGS),
  ],
  hedge: [
    ...list(
      'maybe maybenot perhaps possibly probably probablynot dunno idk idontknow idonotknow notsure imnotsure iamnotsure unsure ' +
        'iguess iguessso isuppose isupposeso ithink ithinkso idontthinkso idonotthinkso kinda sorta sortof kindof whatever ' +
        'uptoyou asyoulike wait waitasec holdon later maybelater notnow notyet letmethink illthinkaboutit hardtosay depends ' +
        'itdepends whynot ifyouwant ifyoulike notno good great nice cool ifyoumust justasec onesec onesecond oneminute',
    ),
    ...list(
      '글쎄 글쎄요 글쎄다 글쎄용 아마 아마도 모르겠어 모르겠어요 모르겠습니다 모르겠다 모르겠네 모르겠는데 잘모르겠어 몰라 몰라요 몰랑 ㅁㄹ ' +
        '생각해볼게 생각해볼게요 생각해보고 생각좀 생각중 고민 고민중 고민좀 그런가 그런가요 그럴까 그럴까요 그런듯 그런거같아 할까 할까요 어쩌지 어떡하지 어떨까 아무거나 ' +
        '알아서 알아서해 알아서해줘 나중에 나중에요 나중에할게 이따가 이따 잠깐 잠깐만 잠깐만요 잠시만 잠시만요 기다려 기다려봐 기다려줘 아직 보류 애매 애매해 ' +
        '애매하네 그러지뭐 마음대로 맘대로 맘대로해 마음대로해 편한대로 상관없어 상관없어요 굿 할게 할게요 하든지 하든가 싫지않아 안싫어',
    ),
    ...combine(list('취소 중단 중지 거절'), DO_NOT_ENDINGS),
  ],
  ask: [
    ...list(
      'why what whats huh how really seriously whatdoyoumean whatdoesthatmean whatisthis whatisit whatsthis whatsthat areyousure ' +
        'who when which whichone howmuch howmany pardon excuseme whatfor howcome isthatright isitright isthatcorrect ' +
        'isitsafe shouldi doi',
    ),
    ...list(
      '왜 왜요 왜그래 왜지 왜죠 왜때문에 뭐 뭐야 뭐가 뭐요 뭘 뭔 뭔데 뭔데요 뭔소리 뭔소리야 뭐라고 뭐라구 무슨 무슨말 무슨말이야 무슨뜻 무슨뜻이야 무슨소리 무슨소리야 ' +
        '이게뭐야 이게뭔데 그게뭐야 그게뭔데 무엇 무엇을 어떻게 어째서 얼마 얼마에 얼마로 얼마야 몇주 몇개 언제 누가 어디 어디서 어느 진짜로 정말로 정말요 진짜요 진심 ' +
        '확실해 확실해요 확실한가요 확실합니까 괜찮을까 괜찮을까요 되나 되나요 될까 될까요 해도될까 해도되나 해도되나요 맞나 맞나요 맞을까 맞는거야 맞는건가',
    ),
  ],
  act: [
    ...combine(ACT_STEMS, DO_ENDINGS),
    ...ACT_STEMS,
    ...list(
      'record recordit recordthat recordthetrade recordthistrade save saveit savethat add addit addthat set setit register registerit submit delete deleteit ' +
        'remove removeit apply applyit update updateit send sendit 지워 지워줘 지워주세요 보내 보내줘 보내주세요 바꿔 바꿔줘 바꿔주세요 넣어 넣어줘 넣어주세요',
    ),
  ],
  polite: list(
    'please plz pls plsdo 부탁 부탁해 부탁해요 부탁합니다 부탁드려요 부탁드립니다 부탁드릴게요 부탁드릴께요 부탁할게 부탁할게요 부탁드림 제발 제발요 플리즈',
  ),
  doubtful: [
    ...list(
      'noproblem noprob noworries nobiggie itsok itsokay thatsok thatsokay itsfine thatsfine thatisfine thatisok imok imokay ' +
        'imgood imfine iamgood iamfine itsalright gotit isee understood noted pass notbad alrightthen',
    ),
    ...list(
      '괜찮아 괜찮아요 괜찮습니다 괜찮음 괜찮네 괜찮은데 괜찮은데요 괜찬아 괜찬아요 ㄱㅊ ㄱㅊㄱㅊ 갠차나 알겠어 알겠어요 알겠습니다 알겠음 알았어 알았어요 알았습니다 ' +
        '문제없어 문제없어요 문제없습니다 노프라블럼 패스 확인했어 확인했어요 확인했습니다 확인해줘 확인해주세요 확인해 확인할게 ㅇㅈ 인정 되긴해 맞지 맞죠 되지 되죠 나쁘지않아 나쁘지않네',
    ),
  ],
  filler: [
    ...list(
      'do that thats it its is this and now just then so well oh ah um uh hm hmm hmmm er hey hi finclaw bot sir boss man bro dude ' +
        'mate lol haha hahaha thanks thank thankyou thankyousomuch thx ty verymuch alot rightaway rightnow asap immediately ' +
        'actually isaid imean isay sorry to all both one the',
    ),
    ...list(
      '잘 음 으음 음음 흠 흠흠 어 아 오 아하 그럼 그러면 그냥 일단 우선 빨리 얼른 지금 바로 당장 좀 쫌 한번 이대로 그대로 이렇게 그거 그걸로 이거 이걸로 그건 이건 저 저기 자 그니까 그러니까 ' +
        '진짜 정말 꼭 당연히 그래도 역시 절대 절대로 핀클로 봇 봇아 형 님 요 다 모두 전부 둘 감사 감사해 감사해요 감사합니다 고마워 고마워요 고맙습니다 땡큐 ㄱㅅ ㄱㅅㄱㅅ ㅎ ㅎㅎ ㅋ ㅋㅋ ' +
        'ㅠ ㅠㅠ ㅜㅜ ㅜㅠ ㅠㅜ 하하 해해 헤헤 흐흐 아휴 에이 수고 수고해 수고하세요 했잖아 했잖아요 죄송 죄송해요 죄송합니다 미안 미안해',
    ),
  ],
  but: list(
    'but except however instead although though unless if only with without make change rather 근데 근데요 그런데 하지만 그치만 그렇지만 다만 단 대신 대신에 말고 빼고 만약 만일',
  ),
  negation: list('not never 안 못 cannot cant wont'),
};

const YES_SIGNS = ['👍', '👌', '✅', '☑', '✔', '🆗', '🙆', '⭕', ':+1:', ':thumbsup:', ':ok_hand:'];
const NO_SIGNS = ['👎', '❌', '✖', '🙅', '🚫', '⛔', '❎', ':-1:', ':thumbsdown:', ':x:', ':no_entry:'];
const SIGNS: ReadonlyMap<string, WordClass> = new Map([
  ...YES_SIGNS.map((sign) => [sign, 'yes'] as const),
  ...NO_SIGNS.map((sign) => [sign, 'no'] as const),
  [':white_check_mark:', 'yes'],
  [':heavy_check_mark:', 'yes'],
  [':ok:', 'yes'],
  [':o:', 'yes'],
]);

const VOCABULARY: ReadonlyMap<string, WordClass> = new Map(
  // The first class that lists a word wins.
  (Object.entries(WORDS) as [WordClass, readonly string[]][])
    .toReversed()
    .flatMap(([group, words]) => words.map((word) => [word, group] as const)),
);

interface Item {
  readonly group: WordClass;
  readonly word: string;
}

/** A word, a Slack emoji (`:+1:`), an emoji, a question mark or a symbol. */
const PIECE =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*|:[a-zA-Z0-9_+-]{1,30}:|\p{Extended_Pictographic}|[?]|[$%@#&=<>€₩£¥+-]/gu;
const LETTER = /[\p{L}\p{N}]/u;

/** A repeated word: `ㅇㅇㅇㅇ`, `네네네`, `nonono`. */
const unitOf = (word: string): string | undefined => {
  for (let size = 1; size <= Math.min(4, word.length / 2); size += 1) {
    const unit = word.slice(0, size);
    if (word.length % size === 0 && unit.repeat(word.length / size) === word) return unit;
  }
  return undefined;
};

/** Shortens drawn-out letters: `yesss`, `nooooo`, `네에에에`. */
const collapseRepeats = (word: string): string => {
  const letters = Array.from(word);
  return letters
    .filter((letter, at) => {
      const isDrawnOut =
        letter === letters[at - 1] && (letter === letters[at - 2] || letter === letters[at + 1]);
      return !isDrawnOut;
    })
    .join('');
};

/** Words that people attach to the next one: `네해줘`, `ㅇㅇ그래`. No company name may start like that. */
const GLUED = list('아니요 아니 아뇨 그래 좋아 ㅇㅇ ㄴㄴ ㅇㅋ 네 넵 넹 예 응 ok');
const ENDING = /(?:요|용|이요|입니다|이에요)$/u;

/** Classifies an unlisted word by its parts. */
const groupOfParts = (word: string): WordClass | undefined => {
  const stem = word.replace(ENDING, '');
  if (stem !== word && stem.length > 1) {
    const group = VOCABULARY.get(stem);
    if (group === 'yes' || group === 'no') return group;
  }
  const first = GLUED.find((start) => word.startsWith(start) && word.length > start.length + 1);
  if (first === undefined) return undefined;
  const [one, other] = [VOCABULARY.get(first), VOCABULARY.get(word.slice(first.length))];
  if (other === 'polite' || one === other) return one;
  return other === 'yes' || other === 'no' ? 'both' : undefined;
};

const groupOf = (word: string): WordClass | undefined => {
  const known = VOCABULARY.get(word);
  if (known) return known;
  const unit = unitOf(word);
  // `ㅜ` is `n` on a Korean keyboard, but repeated it is a crying face.
  if (unit === 'ㅜ') return 'filler';
  return (
    (unit === undefined ? undefined : VOCABULARY.get(unit)) ??
    VOCABULARY.get(collapseRepeats(word)) ??
    groupOfParts(word)
  );
};

/** Lower case, without question marks. */
const piecesOf = (text: string): { readonly pieces: readonly string[]; readonly isQuestion: boolean } => {
  const found = Array.from(text.matchAll(PIECE), ([piece]) => piece.toLowerCase());
  const pieces = found.filter((piece) => piece !== '?');
  return { pieces, isQuestion: pieces.length < found.length };
};

const isSign = (piece: string): boolean => !LETTER.test(piece) || piece.startsWith(':');

/** The words from here up to a sign, joined: the first one, the first two, and so on. */
const runsFrom = (words: readonly (string | undefined)[], at: number): readonly string[] => {
  const runs: string[] = [];
  let run = '';
  for (let end = at; end < at + MAX_PHRASE_WORDS; end += 1) {
    const word = words[end];
    if (word === undefined) break;
    run += word;
    runs.push(run);
  }
  return runs;
};

/** False for random keystrokes and single letters. */
const isMeaningful = ({ word }: Item): boolean => {
  if (/^[ㄱ-ㅎㅏ-ㅣ]+$/u.test(word)) return word.length > 3;
  return Array.from(word).length > 1 || /[\p{N}\p{Script=Han}가-힣]/u.test(word);
};

/**
 * The longest run of words first: "never mind" is not "never". Undefined as soon as a word says something else, which is
 * the case for most messages.
 */
const classify = (pieces: readonly string[]): readonly Item[] | undefined => {
  const items: Item[] = [];
  const words = pieces.map((piece) => (isSign(piece) ? undefined : piece.replaceAll(/['’]/gu, '')));
  for (let at = 0; at < pieces.length;) {
    const first = pieces[at];
    if (first === undefined) break;
    if (words[at] === undefined) {
      const group = SIGNS.get(first) ?? (/^[$%@#&=<>€₩£¥+-]$/u.test(first) ? 'content' : 'filler');
      items.push({ group, word: first });
      at += 1;
      continue;
    }
    const runs = runsFrom(words, at);
    let item: Item = { group: 'content', word: first };
    let length = runs.length;
    for (; length > 0; length -= 1) {
      const word = runs[length - 1] ?? '';
      const group = length === 1 ? groupOf(word) : VOCABULARY.get(word);
      if (!group) continue;
      item = { group, word };
      break;
    }
    if (item.group === 'content' && isMeaningful(item)) return undefined;
    items.push(item);
    at += Math.max(1, length);
  }
  return items;
};

const NO_ALONE: ReadonlySet<string> = new Set(list('dont donot pleasedont never'));

/** Merges a negation with its word into a no: "not ok", `안 좋아`. A negated no becomes doubtful. */
const negate = (items: readonly Item[]): readonly Item[] => {
  const result: Item[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (!item) break;
    const isNo = NO_ALONE.has(item.word);
    if (item.group !== 'negation' && !isNo) {
      result.push(item);
      continue;
    }
    const fillers = items.slice(at + 1).findIndex(({ group }) => group !== 'filler' && group !== 'polite');
    const next = fillers < 0 ? undefined : items[at + 1 + fillers];
    const merge = (group: WordClass): void => {
      if (!next) return;
      result.push({ ...item, group });
      at += 1 + fillers;
    };
    if (next?.group === 'yes' || next?.group === 'act') merge('no');
    else if (next?.group === 'no' || next?.group === 'negation' || next?.group === 'hedge') merge('hedge');
    else if (isNo) result.push({ ...item, group: 'no' });
    else result.push({ ...item, group: next?.group === 'content' ? 'content' : 'hedge' });
  }
  return result;
};

const UNCLEAR = (why: Unclear): TypedAnswer => ({ kind: 'unclear', why });

const withoutContent = (items: readonly Item[], isQuestion: boolean): TypedAnswer => {
  const has = (group: WordClass): boolean => items.some((item) => item.group === group);
  if (has('both') || (has('yes') && has('no'))) return UNCLEAR('both');
  // "is it ok" is a question even without a question mark.
  if (isQuestion || has('ask') || items[0]?.word === 'is') return UNCLEAR('question');
  if (has('hedge') || has('but')) return UNCLEAR('hedged');
  if (has('no')) return { kind: 'no' };
  if (has('doubtful')) return UNCLEAR('hedged');
  if (has('yes')) return { kind: 'yes' };
  if (has('act')) return UNCLEAR('hedged');
  if (has('polite')) return { kind: 'yes' };
  return UNCLEAR(has('filler') ? 'hedged' : 'unknown');
};

/** Reads a reply in Korean or English: `ㅇㅇ`, `네 부탁드려요`, "no thanks", 👍. */
export const readYesNo = (original: string): TypedAnswer => {
  if (original.length > MAX_CHARS) return { kind: 'other' };
  const text = foldWidth(original.normalize('NFC')).trim();
  const { pieces, isQuestion } = piecesOf(text);
  const classified = classify(pieces);
  if (!classified) return { kind: 'other' };
  const items = negate(classified);
  const content = items.filter(({ group }) => group === 'content');
  if (content.length === 0) return withoutContent(items, isQuestion);
  return content.some(isMeaningful) ? { kind: 'other' } : UNCLEAR('unknown');
};
