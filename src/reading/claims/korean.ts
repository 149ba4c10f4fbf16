import { type Effect, effectIn, type Kinds, wordCount } from './words.ts';

/** What the verbs tell of the kind of change; any other verb may be a change too. */
const KINDS: Kinds = {
  recorded:
    /기록|저장|기입|기재|메모|입력|기억|로그|북마크|즐겨찾기|적었|적어|남[겼겨]|찜|가져왔|가져오|불러왔|임포트|업로드/u,
  removed:
    /삭제|취소|제거|해제|초기화|철회|비활성화|원복|롤백|중단|중지|정지|해지|폐기|파기|말소|지웠|지워|없[앴애]|없어졌|뺐|빼|빠졌|껐|꺼|되돌[렸려]|되돌아|비[웠워]|사라졌|물[렸려]|풀었|풀렸|풀어|걷어|에서 ?내[렸려]|일로 ?했/u,
  set: /설정|추가|등록|생성|예약|지정|(?<!비)활성화|세팅|셋팅|구독|접수|연결|시작|개시|감시|추적|만들|걸었|걸렸|걸어|걸려|넣었|넣어|담았|담겼|담아|켰|켜|들어갔|들어왔|잡[혔았아]|맞[췄춰]|올라갔|(?:게|도록) ?(?:해|했)/u,
  sent: /발송|전송|전달|공지|통지|통보|공유|게시|송부|연락|보냈|보내|알렸|알려|띄웠|띄워|전해|뿌[렸려]|돌렸|돌려 ?드/u,
  changed:
    /변경|수정|업데이트|갱신|조정|정정|전환|반영|적용|처리|교체|이동|연장|복원|복구|분리|병합|통합|포함|제외|재조정|바[꿨꾸꿔뀌뀠꼈]|고[쳤쳐]|옮[겼겨]|낮[췄춰]|늘려|줄여|줄였|당[겼겨]|미[뤘뤄]|바로잡|합[쳤쳐]|돌려 ?[놨놓]|정리|올[렸려]|내[렸려]/u,
};
/** Syllables that end in ㅆ, the mark of the past: all but those of `있` and `겠`. */
const PAST = Array.from({ length: 399 }, (_, index) => String.fromCodePoint(0xac_00 + index * 28 + 20))
  .filter((each) => !'있겠셨'.includes(each))
  .join('');
const END =
  '(?:습니다만?|습니당|슴다|어요|어용|어|음|네요?|지요?|죠|고요?|구요|답니다|다|으며|으니까?|으므로|는데요?|지만|거든요)(?![가-힣])';
const COMPLETED = new RegExp(
  `[${PAST}]${END}|(?:완료|끝)(?:입니다|예요|에요|이에요|요|임|함|됨|된 상태)?(?! ?[가-힣\\d])|(?:둠|놓음|드림|됨|켜짐|꺼짐|바뀜|(?<!포)함)(?! ?[가-힣\\d*+])|(?:둔|놓은|된) 상태`,
  'gu',
);
/** What helps a verb and means nothing alone; before it stands the verb. */
const HELPS =
  /^(?:해|하게|처리|성공|마무리)?(?:했|하였|됐|되었|뒀|두었|놨|놓았|드렸|줬|드려|됨|함|둠|놓음|드림|완료|끝|마쳤|끝냈|끝났|둔|놓은|된|처리|해|버렸)/u;
const ADVERB =
  /^(?:네|넵|예|넹|좋아요|알겠습니다|방금|지금|이제|막|그럼|모두|전부|다|바로|잘|성공적으로|정상적으로|정상|새로|싹|하나|따로)$/u;
/** Forms that nobody uses of a company: `해 드렸습니다`, `해 뒀어요`. */
const FOR_PERSON = /드렸|드려|드림|뒀|두었|놨|놓았|둠|놓음|둔|놓은|줬/u;
/** Looking, telling, reckoning, moving, being, failing: nothing of the person's is changed by it. */
const IDLE =
  /(?:[않같많높낮좋작없있]았|[없있이같늘줄뛰들]었|못했|컸|봤|올랐|비쌌|나왔|나타났|몰랐|알았|(?<![하줄붙높])였|떨어졌|[커높낮강약넓좁많적]아?졌|찼|(?<!에서 )(?:내렸|빠졌)|(?:내려|올라)[왔갔섰]|아졌|어졌(?<!없어졌|만들어졌)|찾았|남았|울렸|생겼|지났|벌었|잃었|썼|골랐|뽑았|추렸|살폈|살펴|읽었|놓쳤|틀렸|말씀|설명|안내|답변|소개|요약|분석|계산|확인|조회|검색|비교|검토|참고|가정|환산|반올림|합산|집계|이해|오해|착각|실수|실패|누락|시도|지원|제공|문의|요청|질문|상승|하락|증가|감소|급[등락증감]|반등|회복|확대|축소|개선|악화|둔화|마감|출발|돌파|도달|발생|발동|만료|체결|경신|달성|성장|변동|유지|전망|예상|추정|평가|발표|출시|인[수상하]|합병|상장|동결|확정|보유|매수했|매도했|입금됐|정리했)/u;
/** What nobody but the bot keeps for a person. */
const KEPT =
  /알림|알람|얼럿|관심 ?(?:종목|목록|리스트)|워치 ?리스트|즐겨찾기|찜|리마인더|브리핑|메모|노트|장부|가계부|일지|닉네임|호칭|별명|프로필|캘린더|(?:검색|대화) ?기록|방해 ?금지|(?:다크|야간|무음|라이트) ?모드|[위험투자] ?성향|시간대|(?:기본|표시) ?(?:통화|차트|언어|단위)|(?:채널|공유방|단톡방)에 |요청하신|말씀하신|부탁하신|주신/iu;
/** What a person has here, and others have elsewhere. */
const OWN =
  /포트폴리오|보유 ?(?:종목|내역|목록|자산|수량|주식)|내역|(?:거래|매매) ?(?:기록|[을를가는도로은]|\d{0,4}건)|(?<![순대])(?:매수|매도|매입)(?!세|자| ?(?:의견|포지션|우위))|입금|출금|일정|예약|스케줄|설정(?!액)|언어|통화[를가는]|목록|리스트|메시지|쪽지|디엠|DM|메일|평단|단가|매입가|수량|수수료율|한도|예산|공개 범위|목표 ?(?:금액|수익률|비중)|구독|주문|기준가|계좌|(?<!총)자산에|요약본?[을를도은이]|리포트|공지|업로드|파일|CSV|수신|예수금|폴더|필터|이름을|(?:환전|중복|이번|방금|하신|파신|사신) ?(?:기록|입력|건)|입력(?:은|분)|감시|추적|테스트|섹션/iu;
const QUANTITY = /\d ?주(?![일간년말가식요주])|\d ?(?:BTC|ETH|XRP|SOL|코인)/iu;
const OTHERS =
  /(?:회사|당사|기업|거래소|증권사|연준|정부|법원|애널리스트들?|은행|경영진|이사회|금감원|금융위|운용사|당국|국세청|위원회|투자자들?|버핏|버크셔|국민연금|펀드|머스크|재단|CEO|대표|의장|대통령|트럼프|시장(?!가)|증권|측)(?:[은는이가]|에서|께서|도) |외국인|기관(?:[은는이가]| )|기능[을를이가은]|서비스[를가는]|정책|약관|제도|시스템/iu;
const MARKET =
  /배당(?!금|락)|목표 ?주?가(?! ?알림)|가이던스|전망|실적|매출|이익|자사주|유상증자|지분|투자의견|등급|공시|특허|공장|제품|생산|가격[을를]|사상|역대|신고가|신저가|거래량|거래대금|시가총액|주가[는가]|증가|감소|급등|급락|지정|규제|사명|종목으로|요금|출시|리콜|상향|하향|관리 ?종목|인수|합병|계약|상장|수출|관세|금리|[흑적]자|S&P|코스피|코스닥|나스닥|지수/u;
/** What belongs to the answer itself. */
const SHOWN =
  /(?<![가-힣])(?:표|차트|그래프|설명|비교|요약|계산|수치|숫자|단위|링크|예시|답변|출처|환율|수수료|세금|물가|시세|최신|데이터|분할|자료|뉴스|기사|근거|의견)(?:[은는이가을를도에로]|까지|으로) /u;
const TABLED =
  /(?:(?<![가-힣])(?:표|차트|그래프|[가-힣]{1,3}순)(?:에|로|으로) ?|(?:합계|평균|계산|총계|집계|비교)(?:에|에서|에서는|에는|에도) ?[^,]{0,20})$/u;
const REACHED =
  /(?:가|[고저]점|최[고저대소]치?|치|[률율]|%|퍼센트|원|달러|엔|포인트|p|선|\d위|흑자|적자|이익|매출|손실|세|폭|상승|하락|증가|감소|급등|급락|성장|순매[수도]|거래량|배|실적|EPS|[억조]|기록|수준|둔화|강세|약세)[을를도까지]{0,2} ?$/iu;
const TRADE =
  /(?<!순)(?:매수|매도|구매)(?! ?우위)|(?<![가-힣])(?:입금|출금|지출|배당금) |(?<![가-힣])(?:산|판|사신|파신) /u;
const ASKED =
  /(?:누르|말씀하|말하|하시|주시|원하시|원하|입력하|보내시|확인하|답하|선택하|쓰시|쓰|설정하|등록하|추가하|해 ?두|사용하|필요하|이용하|켜|만들)(?:시)?면|혹시|만약|\/\p{L}+|하려면|려다|방법|예를 들|보통 |아무것도|한 건도|이미 |(?<![가-힣])[안못] ?$/u;
const EARLIER =
  /어제|그저께|그제|지난 ?(?:주|달|해|번|[월화수목금토일]요일|\d)|(?<![가-힣])(?:예전|이전|전|앞서|아까|그때|당시|작년|재작년|과거|최근|오래)(?:에|부터)? |\d (?:일|주|달|개월|년) 전|\d(?:일|주|달|개월|년|시간) 전|(?:\d일|\d월|\d년|[월화수목금토일]요일)(?:에|날) /u;
const BOUGHT =
  /(?:산|판|사신|파신|매수|매도|매입|구매|체결|거래|받은|받으신|하신|브리핑|리마인더|일정|예약|알려|보내|배당|입력|상태로|말씀)/u;
const TOPIC =
  /(?<![가-힣])(?!제가|저는|추가|단가|매수가|매도가|이제는|내용|이건|그건|모두)[\p{L}\d&]{1,20}(?<!있|하|되|넘|오르|내리|원하|보|받|같|많|요청하시)[은는이가] /u;
const OBJECT = /(?<![가-힣])[\p{L}\d]{1,20}[을를] /u;
const SINK =
  /에게|께|한테|채널|그룹|방에|팀에|팀원|DM|디엠|메일|메시지|쪽지|알림|공지|리포트|브리핑|슬랙|디스코드|텔레그램|카톡/iu;
const PROMISE =
  /(?:알려|말씀|연락|통지|통보|안내|메시지|알림|브리핑|요약|리포트|DM|디엠|공지|신호|리마인드|톡|[을를도]|서)(?:[을를도이가]|해)? ?(?:바로 |꼭 |즉시 )?(?:보내 ?|전해 ?|해 ?)?(?:드릴게요?|드리겠|드립니다|드려요|줄게|주겠|줄 ?게|받게 되|받게 됩|보내 ?(?:드릴게|드리겠|드립니다|드려요|줄게)|보낼게|보내겠|갈 거|갈 ?겁니다|갑니다|가요|울립니다|울려요)/iu;
const WHEN =
  /(?:(?:넘|닿|있|찍)으|오르|내리|지|[^확장]되|닿|뚫|가|[나려]오|리|[이]|빠지|깨지|생기|바뀌|움직이|(?:도달|돌파|하락|상승|급등|급락|터치|이탈|변|발표|마감|회복)하)면|이하로 |[^그]때 |때마다|대로 |매일|매주|매달|매월|마다|아침에|내일|모레|다음 ?주|\d시|\d분/u;
/** `이제 …로 표시됩니다`, `더는 … 오지 않아요`: how things are from now on. */
const FROM_NOW = /(?<![가-힣])(?:이제(?:부터)?|앞으로|오늘부터|내일부터|더 ?이상|더)[는은]? /u;
const ARRANGED =
  /(?:오|가|나오|나옵|도착|표시|발송|전송|울리|옵|갑|들어|포함|적용)(?:(?! 수 )[가-힣 ]){0,8}(?:니다|요)[^\p{L}]*$/u;
const SHOWN_AS =
  /(?:(?:달러|원화|엔화|유로|영어|한국어|반말|존댓말|계좌별)[가-힣]{0,4} |따로 )표시(?:됩|돼|되)/u;
/** A fee of a purchase, the hours of trading and lists of the exchange are nobody's own. */
const BUSY = /(?:매[수도]|거래)[가를는]? ?(?:수수료(?!율)|세금?|시간|정지|중[단지])|관리 ?종목/u;
const VAGUE = /^(?:처리|반영|적용|입력|업데이트|조정|이동|갱신|연장|중단|중지|정지|접수|로그|연락)/u;
const PICKED = /^(?:추가|삭제|제거|등록|뺐|넣었|담았|지웠|저장|취소|수정|정정|변경|폐기)/u;
const ALONE = /^(?:되돌|복원|복구|원복|롤백|(?:감시|추적)[을를]? ?시작)|없던 일로/u;
const MADE_TO = /(?:게|도록) ?(?:해|했|설정|조정|예약|맞[췄춰]|세팅|바[꿨꿔])/u;
/** `✅ 알림 설정: 애플`, `관심 종목 추가 ✅`. */
const TICKED =
  /^[✅✔☑]?[^:.,?✅✔☑]{0,50}(기록|저장|입력|메모|설정|추가|등록|생성|예약|삭제|취소|제거|해제|발송|전송|공유|변경|수정|업데이트|적용) ?(?:[:—–(]|$|[✅✔☑]\p{M}?$)/u;

/** The verb that ends in `said`, with the words that it needs to mean something, and what stands before it. */
const verbAt = (sentence: string, index: number, said: string): readonly [string, string] => {
  const wordStart = (end: number): number => sentence.lastIndexOf(' ', end - 1) + 1;
  let start = wordStart(index + 1);
  let verb = sentence.slice(start, index) + said;
  for (let steps = 0; steps < 3 && start > 1 && HELPS.test(verb.replace(/^[^가-힣]+/u, '')); steps += 1) {
    const earlier = wordStart(start - 1);
    const word = sentence.slice(earlier, start - 1);
    if (/[^\p{L}\d을를]$/u.test(word)) break;
    if (!ADVERB.test(word)) verb = `${word} ${verb}`;
    start = earlier;
  }
  return [verb.replace(/^[^\p{L}]+/u, ''), sentence.slice(0, start)];
};

const isKoreanClaim = (effect: Effect | undefined, before: string, verb: string): boolean => {
  const isForPerson = FOR_PERSON.test(verb);
  if (IDLE.test(before.slice(-3) + verb) || TABLED.test(before)) return false;
  if (BUSY.test(before + verb) || ASKED.test(before)) return false;
  const isKept = KEPT.test(`${before}${effect === 'recorded' ? '' : verb}`) || verb.startsWith('찜');
  const isOwn =
    isKept || OWN.test(`${before}${effect === 'recorded' || effect === 'set' ? '' : verb.split(' ')[0]} `);
  if (OTHERS.test(before) && !(isForPerson && isOwn)) return false;
  const earlier = EARLIER.exec(before);
  if (earlier && !BOUGHT.test(before.slice(earlier.index))) return false;
  if (verb.startsWith('기록') && REACHED.test(before) && !TRADE.test(before) && !isForPerson) return false;
  const near = before.slice(-14);
  if (SHOWN.test(near) && !isOwn) return false;
  const topic = TOPIC.exec(before)?.[0] ?? '';
  const object = OBJECT.exec(before)?.[0] ?? '';
  const isOwned = (text: string): boolean => KEPT.test(text) || OWN.test(text);
  const isOthers = topic !== '' && !isOwned(topic) && !SINK.test(topic);
  if (effect === 'sent' && !SINK.test(before) && (isForPerson || wordCount(before) > 2)) return false;
  if (MADE_TO.test(`${near}${verb}`)) return !isOthers || isForPerson || isKept;
  if (isOwn) {
    if (isForPerson) return true;
    if (isOthers && (!effect || effect === 'sent')) return false;
    if (isOthers && object !== '' && (!isOwned(object) || /일정|주문|거래|이름/u.test(object))) return false;
    if (effect) return isKept || !MARKET.test(before) || !isOthers;
    return isKept ? !/[%원\d] ?$/u.test(near) : object !== '' && isOwned(near) && !MARKET.test(before);
  }
  if (effect === undefined) return false;
  if (isForPerson) return !isOthers || !MARKET.test(before);
  if (isOthers || MARKET.test(before)) return false;
  if (ALONE.test(verb)) return wordCount(before) <= 4;
  if (QUANTITY.test(before) || (effect === 'sent' && SINK.test(before))) return true;
  const words = before.split(/[\s,.!✅👍]+/u).filter((each) => each && !ADVERB.test(each)).length;
  if (VAGUE.test(verb)) return words <= 1 && object === '';
  if (object === '' || /[A-Z\d]{2}[을를] $/u.test(object)) return words <= 4;
  return words <= 2 && PICKED.test(verb);
};

const promised = (sentence: string): readonly Effect[] => {
  const promise = PROMISE.exec(sentence);
  const condition = promise && sentence.slice(0, promise.index + 1);
  if (condition && WHEN.test(condition) && !ASKED.test(condition)) return ['set'];
  if (!FROM_NOW.test(sentence) || ASKED.test(sentence) || OTHERS.test(sentence)) return [];
  return (KEPT.test(sentence) && ARRANGED.test(sentence)) || SHOWN_AS.test(sentence) ? ['changed'] : [];
};

/** What a sentence says was done, as far as it is Korean. */
export const koreanEffects = (sentence: string): readonly Effect[] => {
  if (!/[가-힣]/u.test(sentence)) return [];
  const found: Effect[] = [];
  for (const { index, 0: said } of sentence.matchAll(COMPLETED)) {
    const [verb, before] = verbAt(sentence, index, said);
    const effect = effectIn(KINDS, verb);
    if (isKoreanClaim(effect, before, verb)) found.push(effect ?? 'changed');
  }
  const ticked = /[✅✔☑]/u.test(sentence) && TICKED.exec(sentence);
  if (ticked) found.push(effectIn(KINDS, ticked[1] ?? '') ?? 'changed');
  return [...found, ...promised(sentence)];
};
