/** In a terminal the picture is named: `@shot.png`. */
const NAMED_FILE = /(?<!\S)@(?:"[^"\n]{1,300}"|[^\s"]{1,300})(?!\S)/u;

/** A longer text is about more than the picture. */
const MAX_CHARS = 60;

const ENGLISH =
  /^(?:please |can you |could you )?(?:import|add|record|register|enter)(?: (?:this|these|it|them|all|everything))?(?: (?:of )?(?:my |the |these )?(?:screenshot|picture|image|screen|holdings?|positions?|trades?|transactions?|stocks?|shares))?(?: (?:in|to|into|as) (?:my |the )?(?:portfolio|holdings|trades))?(?: please)?[.!?]*$/iu;

/** The words that may stand before the verb, with their particles. Any other word leaves the message to the model. */
const KOREAN_OBJECT =
  /^(?:이거|이것|이건|이걸|이|여기|내|제|나의|우리|사진|그림|이미지|스크린샷|스샷|캡처|캡쳐|화면|보유|보유종목|종목|종목들|주식|주식들|잔고|계좌|거래|거래내역|매매내역|체결내역|내역|포트폴리오|포폴|있는|좀|다|모두|전부|전체)(?:들)?(?:을|를|은|는|에|로|으로|도|의|에서)?$/u;
const KOREAN_VERB =
  /^(?:등록|가져오기|기록|입력|추가|반영)(?:을|를)?(?:해|해줘|해줘요|해줄래|해주세요|해주라|해달라|좀|부탁|부탁해|부탁해요|부탁드려요|부탁드립니다|하기|하자|할게|할래|바람|요망|ㄱㄱ)?$|^(?:가져와|가져와줘|가져와주세요|넣어|넣어줘|넣어주세요|올려|올려줘|올려주세요)$/u;
/** `등록 해 줘`: the rest of a verb that is written apart. */
const KOREAN_END =
  /^(?:해|해줘|해줘요|해줄래|해주세요|줘|줘요|주세요|부탁|부탁해|부탁해요|부탁드려요|부탁드립니다|좀)$/u;

const isKorean = (text: string): boolean => {
  const words = text.split(/\s+/u);
  const at = words.findIndex((word) => KOREAN_VERB.test(word));
  return (
    at !== -1 &&
    words.slice(0, at).every((word) => KOREAN_OBJECT.test(word)) &&
    words.slice(at + 1).every((word) => KOREAN_END.test(word))
  );
};

/**
 * Whether the words beside a picture ask to record what it shows: `이거 등록해줘`, `import this`. Only clear words count:
 * a question about the picture, and a request for anything else, goes to the model.
 */
export const asksToImport = (text: string): boolean => {
  const said = text.normalize('NFKC').replace(NAMED_FILE, '').trim();
  if (said === '' || said.length > MAX_CHARS || /[\n\r]/u.test(said)) return false;
  return ENGLISH.test(said) || isKorean(said.replace(/(?<![.!~^ㅎㅋ])[.!~^ㅎㅋ]{1,10}$/u, ''));
};
