import type { SentenceTalk } from '#src/kernel/sentence.ts';
import { readYesNo } from '#src/language/yes-no.ts';

/** The first that fits is taken. */
const TALKS: readonly (readonly [talk: SentenceTalk, pattern: RegExp])[] = [
  [
    'language',
    /(?:영어|한국어|한국말|한글|우리말)로.{0,12}(?:대답|답변|답|말|얘기|써|알려|해\s?줘)|\b(?:answer|reply|speak|talk|respond|write)\b.{0,20}\b(?:english|korean)\b|^(?:english|korean)(?: please)?[.!?]*$/iu,
  ],
  [
    'greeting',
    /^(?:하이|hello|hi|hey|good (?:morning|afternoon|evening)|how are you)(?!\p{L})|^(?:안녕(?!히)|반가)|도움말|도와|\bhelp\b|what can you do|뭐\s?할\s?수|뭘\s?할\s?수/iu,
  ],
  ['thanks', /고마워|고맙|감사|땡큐|\bthank(?:s| you)\b|\bthx\b/iu],
  [
    'bye',
    /^(?:잘\s?자|잘\s?가|안녕히|굿\s?나잇|다음에\s?(?:봐|보자)|bye|goodbye|good ?night|see you)(?!\p{L})/iu,
  ],
  [
    'complaint',
    /바보|멍청|답답|짜증|엉망|쓸모|구려|후지|후져|틀렸|틀린|잘못(?:됐|된|했)|못\s?알아|이상(?:해|하네|한데)|왜\s?이렇게|왜\s?안|(?:안|못)\s?(?:돼|되)\p{L}{0,4}|\b(?:wrong|stupid|useless|dumb|sucks?|terrible|idiot|doesn'?t work|not working|you don'?t understand|incorrect)\b/iu,
  ],
  [
    'who',
    /(?:넌|너는|너|누가|당신은?|네)\s?(?:누구|뭐야|정체|이름)|이름이\s?뭐|누가\s?만들|\bwho (?:are|made|built|created) you\b|\byour name\b|\bare you (?:a )?(?:bot|human|ai)\b/iu,
  ],
  [
    'loss',
    /물렸|물려\s?(?:있|버)|망했|손실\s?(?:났|나서|이\s?커|봤)|돈\s?(?:을\s?)?(?:다\s?)?(?:잃었|날렸)|계좌.{0,6}(?:녹|박살)|\b(?:i(?:'ve|'m| have| am)?(?: just)? (?:lost (?:a lot|everything|money|so much|it all)|rekt|ruined)|lost all my money|bag ?hold(?:er|ing))\b/iu,
  ],
  [
    'idle',
    /^[ㅋㅎㅠㅜ][ㅋㅎㅠㅜ!~ ]*$|^(?:하하|헤헤|lol|haha|hehe|lmao|hm+|nice|cool|wow|굿|오+|와+)[!~. ]*$/iu,
  ],
];

/** What is said to a person who asks for nothing. Null: it is no small talk. */
export const readSmallTalk = (text: string): SentenceTalk | null => {
  const talk = TALKS.find(([, pattern]) => pattern.test(text))?.[0];
  if (talk !== undefined) return talk;
  // A yes or a no that answers no question.
  const reply = readYesNo(text).kind;
  return reply === 'yes' || reply === 'no' ? 'idle' : null;
};
