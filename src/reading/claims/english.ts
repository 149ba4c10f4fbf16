import { clauseStart, type Effect, effectIn, type Kinds, wordCount } from './words.ts';

/** What the verbs tell of the kind of change; any other verb may be a change too. */
const KINDS: Kinds = {
  recorded:
    /\b(?:record(?:ed)?|saved?|log(?:ged)?|marked|noted?|stored?|enter(?:ed)?|jotted|bookmarked|remembered|booked|written|imported|loaded|uploaded|tacked)$/iu,
  set: /\b(?:set|add(?:ed)?|created?|scheduled?|register(?:ed)?|enabled?|activated|configured|put|subscribed|pinned|armed|turned on|switched on|placed|opened|made?|starred|linked|parked)$/iu,
  removed:
    /\b(?:deleted?|removed?|cancel(?:l?ed)?|undone|undid|undo|clear(?:ed)?|reverted|erased|disabled?|deactivated|turned off|switched off|called off|unsubscribed|rolled back|reversed|wiped|dropped|taken|took|discarded|stopped|unset|voided|purged|muted|silenced|unfollowed)$/iu,
  sent: /\b(?:let|send|sent|notif(?:y|ied)|message(?:d)?|email(?:ed)?|forward(?:ed)?|post(?:ed)?|shared|delivered|texted|pinged|DMed|told|published|dispatched)$/iu,
  changed:
    /\b(?:changed?|updated?|edit(?:ed)?|modif(?:y|ied)|adjust(?:ed)?|moved?|renamed|switched|correct(?:ed)?|amended|replaced|raised|lowered|swapped|fixed|extended|paused|resumed|processed|reset|snoozed|restored|merged|applied|included|bumped|turned|shifted)$/iu,
};
const DONE =
  '(?:(?:turned|switched|rolled|called) (?:on|off|back)|\\p{L}{2,14}ed|set|put|sent|un(?:done|did|set)|taken|took|made|built|written|wrote|begun|began|cut|hid|hidden|shut|split|reset|re(?:wrote|written|built))';
const ADVERBS =
  '(?: (?:just|now|also|already|successfully|all|then|both|duly|simply|gone ahead and|went ahead and|went in and|have)){0,3}';
const ACTIVE = new RegExp(
  String.raw`(?:\b(?:I|we)(?:['’]ve| have)?${ADVERBS} (?:${DONE}|let(?= (?!you\b)[^,.;]{1,30} know))|\bI (?:was able to|managed to|did) (?:record|save|log|set|add|delete|remove|cancel|undo|change|update|send|move))\b`,
  'giu',
);
const JOINED = new RegExp(String.raw`\band(?: (?:also|then|just|have))? ${DONE}\b`, 'giu');
const PASSIVE = new RegExp(
  String.raw`(?:\b(?:has|have|had)|['’](?:s|ve))${ADVERBS} been${ADVERBS} ${DONE}\b|(?:\b(?:was|were|is|are|got)|['’](?:s|re))${ADVERBS} ${DONE}\b(?: now\b)?`,
  'giu',
);
const SHORT = new RegExp(String.raw`(?<![\p{L}'’])(?:${DONE}|(?<=load |port )complete)\b`, 'giu');
const PREFIX =
  /^(?:[^\p{L}\d$₩]|\b(?:all )?(?:done|okay|ok|sure thing|sure|got it|all set|great|perfect|yes|yep|yup|noted|alright|all right|of course|certainly|absolutely|no problem|there you go|you got it|success|successfully|just|also|now|understood|as requested)\b){0,12}/iu;
/** What the bot keeps for a person. */
const STRICT =
  /\b(?:watch ?list|alert|alarm|reminder|portfolio|transaction|trade(?! (?:register|deal|tension|war|deficit|surplus))|purchase(?! contract)|(?:your|the|that) sale|note|recap|notification|message|briefing|digest|schedule|setting|preference|entry|entries|journal|ledger|language|time ?zone|deposit|withdrawal|bought|sold|(?:your|the) (?:team|channel)|group chat|spreadsheet|dm|email|cost basis|nickname|threshold|commission|quiet hours|(?:dark|light|night) mode|tracking|(?:search )?history|filter|profile|check-in|calendar event|(?:weekly|daily|nightly|monthly|morning|test) \p{L}{2,12}|advisor|share count|base currency|default currency|upload|import|csv|premium|as (?:income|cash)|your (?:list|position|holding|currency|quantity|request|order|balance|account|dividend|income|records?|statement|notes?|summary|report))s?\b|#\p{Ll}/iu;
const OWN =
  /\b(?:holding|brief|favou?rites|memo|currency|request|position|order|digest|list|report|summary|statement|duplicate|recap)s?\b|\byour?\b/iu;
const QUANTITY =
  /(?:^|[\s(])\d[\d.,]{0,15} (?:\p{Lu}{1,6} |more |reinvested )?(?:shares?|units?|coins?|BTC|ETH|XRP|SOL|[A-Z]{2,5}\b|of\b)/u;
const OBJECT =
  /^(?: (?:up|down|in|on|off|for you))?(?:$|[ ]?[.!:,;—–✅]| (?:it|this|them|both|everything|the change|the last|all of|those|these|one|that)\b(?! (?:rise|fall|the)))/iu;
const SHOWN =
  /^(?: (?:out|up the|aside|together|back to)\b|(?: [\w’'-]{1,20}){0,3} (?:table|chart|graph|calculations?|estimates?|breakdown|total|figures?|numbers|answer|analysis|comparison|percent|discount|assumptions?|math|overview|example|source|link|wording|typo|explanation|record (?:high|low)|(?:new )?record)\b)/iu;
const MARKET =
  /\b(?:guidance|dividends?(?! of)|target price|price target|forecast|outlook|rating|earnings|buyback|index|s&p|nasdaq|dow|halted|company|companies|analysts?|regulators?|exchange|court|fed|board|deal|merger|ipo|contract|order book|shareholders|deficit|its|their|his|her|record (?:high|low))\b/iu;
const KEPT = /\b(?:alert|reminder|briefing|notification|your|(?<!dow )watch ?list)s?\b/iu;
const UNDONE =
  /\b(?:if|once|when|whenever|after|before|until|unless|whether|where|tap|press|click|should|may|might|would|could|must|will|not|never|cannot|unable|no|none|nothing|without|neither|think|thought|nor|how|what|who|why|did|does|do|can|any|each|every|recently|currently|existing|seems?|appears?|tried|trying|assuming|provided|happy to|want(?:ed)? to|which|that you|by)\b|n['’]t\b|\bto $/iu;
const EARLIER =
  /\b(?:yesterday|last (?:week|month|year|night|time|quarter|\p{Lu}\p{L}+day)|earlier|previously|(?<!moment )ago|back in|(?:in )?(?:19|20)\d\d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|on (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|before that|this morning|by default|automatically|every time|afterwards)\b/iu;
const BOUGHT =
  /\b(?:bought|purchased?|sold|sale|buy|sell|trade|dated|from|for|reminder|check-in|named?|"[^"]*)\b[^,;]{0,60}$/iu;
const PROMISE =
  /\b(?:(?:I|we)(?:['’]ll| will|['’]m going to)(?: (?:be sure to|now|then|make sure to|also|automatically))?(?: keep an eye on [^,.;]{1,40} and| watch [^,.;]{1,40} and)? (?:notify|alert|ping|message|let you know|remind|tell you|text|email|send you|dm|nudge|send (?:it|the|a|your)|(?:give|drop|shoot) you an?|watch|keep an eye)|you(?:['’]ll| will) (?:now )?(?:get|receive|be (?:notified|alerted|pinged|reminded|told|messaged)|hear from me|see a message))\b/iu;
const WHEN =
  /\b(?:when(?:ever)?|if|once|as soon as|the (?:moment|minute|second)|every|each|tomorrow|daily|weekly|at \d|on \p{Lu}|at (?:the )?(?:open|close|market)|next|before|after|for you|crosses|hits|reaches|drops)\b/iu;
const OFFER =
  /\b(?:if you(?:['’]d| would)? (?:like|want|prefer|wish|ask|tell|set|add|give|share|confirm|send|need|choose|reply|say)|(?:once|when|after|as soon as) you|just (?:say|ask|tell)|would you|do you want|want me|shall I|should I|can I|may I|using|by setting|lets you|happy to|set (?:up )?an alert (?:and|to)|how to|the (?:numbers|price|chart|news|details|answer|result))\b|\/\p{L}+/iu;
/** What only a setting is or does from now on, as no market does. */
const STATE =
  /(?:\b(?:is|are)|['’]s) (?:now|back) (?:on|in(?! an? )|off|live|active|in place|part of|linked)\b|\byou now have an?\b|\bis now being (?:tracked|watched)|\bnow (?:tracking|monitoring|watching|following)\b|\bno longer (?:on|in|active|exists?)\b|\b(?:is|are) gone\b|\bnow (?:includes|contains)\b|\b(?:I['’]ve|I have) started (?:tracking|watching|monitoring|following)|^[\p{L} ]{3,24}: (?:now )?(?:set|changed|switched|updated) to\b|(?<!\b(?:two|three|four|five|six|seven|\d) )(?:alert|alarm|notification|briefing|reminder|tracking|mode)(?:['’]s| is|s are) (?:on|off|live|active|in place)(?= for | at |[.!,;:]|$)|\b(?:is|are) (?:off your|(?:on|in) the books|in the system now)\b|\b(?:I|we)(?:['’]ve| have)(?: now)? got \P{L}?[^,.;]{1,40} (?:on|in|off) your\b|\bwon['’]t be (?:coming|sent)(?: out)? any ?more\b|\b(?:briefing|digest|alerts?|notifications?|reminders?|language|currency|time ?zone|settings?|mode|filters?|nickname|profile) (?:is |are |will )?now (?!closer|worth|up|down|above|below)\p{Ll}|\b(?:language|currency|time ?zone|nickname) is now\b|^(?:your|the) (?:csv|file|import|upload)(?:['’]s| is) in\b|^everything['’]s back\b|^(?:starting|from) (?:tomorrow|today|now on|next week)[^.?]{0,60}\b(?:goes|arrives?|comes?|will|I['’]ll)\b/iu;
/** Verbs with many other meanings: what follows has to be something that the bot keeps. */
const WEAK =
  /(?:told|wrote|extended|unset|noted|marked|processed|imported|told|took|taken|dropped|put|stored|made|placed|shared|posted|opened|entered|booked|raised|lowered|fixed|adjusted|corrected|replaced|published|written|stopped|moved|reversed|wiped|delivered|changed|updated|edited)$/iu;
/** Looking, telling, reckoning and what happens to money: nothing of the person's is changed by it. */
const IDLE =
  /\b(?:look|check|search|review|compar|calculat|comput|estimat|assum|round|convert|us|bas|consider|count|treat|notic|mention|list|show|explain|describ|summari[sz]|analy[sz]|ask|want|need|tri|fail|attempt|hop|miss|confus|exclud|pull|fetch|gather|collect|answer|quot|cit|sort|order|group|rank|expect|project|report|announc|releas|trad|clos|gain|jump|climb|slipp|ralli|trigger|fir|expir|fill|execut|valu|own|acquir|purchas|receiv|earn|pa|nam|relat|limit|suppos|interest|realiz|unrealiz|diversifi|weight|concentrat|expos|affect|denominat|requir|allow|support|confirm|verifi|call|split|recall|trimm|narrow|revis|finish|happen|reach|ne|fe|spe|exce|inde|proce|allow|ow|attach|touch|pric|cover|involv|remain|crash|declin|increas|decreas|improv|continu|start|end|stay|weigh|provid|assign|believ|subtract|divid|multipli|measur|impli|suggest|indicat|learn|detect|found|offer|open|lin|mix|detail|focus|balanc|unbalanc)ed$|\bsplit$|\bcut$/iu;
const STILL =
  /(?:set|saved|recorded|scheduled|logged|deleted|removed|cancell?ed|undone|added|created|turned off|switched off|booked|muted|paused|silenced|snoozed|linked|stopped)(?: now)?$/iu;
const NAMED = /^ (?:[A-Z][\p{L}.]{1,15}(?: (?:and|&) [A-Z][\p{L}.]{1,15})?)(?: (?:now|for you))?[.!✅ ]*$/u;
const ON =
  /^(?: (?:successfully|up|at|for|to|from|in|on|off|when|if|above|below|with|until|under)\b|\s?[.!:;,—–()✅👍🎉✓✔-]|\s*\p{Extended_Pictographic}|$)/iu;
const VERB = /\b(?:is|was|are|were|has|have|will|would|fires?|triggers?|triggered|expires?|I|we|you)\b/iu;
/** `Saved notes: 3` names what there is. */
const LISTED = /^ (?:\p{L}{1,12} )?\p{L}{3,12}s ?(?:[:(]|are\b)/u;
const PRONOUN = /^(?:it|that|this|everything|all of it|they|these|both|those)(?: all)?$/iu;
const HEAD = /^(?:$|[.!:—✅]| —)/u;
const HELD = /(?:portfolio|holdings|position|shares|stock)$/iu;
const NEXT = /^ (?:to \p{Ll}|for (?:an?|the|its) )/u;

const effectOf = (said: string): Effect | undefined => effectIn(KINDS, said);

/** Whether what stands around a verb leaves it a claim. */
const isStated = (before: string, after: string): boolean => {
  if (UNDONE.test(before)) return false;
  const around = `${before} ${after}`;
  const earlier = EARLIER.exec(around);
  return !earlier || BOUGHT.test(around.slice(0, earlier.index));
};

const isMarket = (sentence: string): boolean => MARKET.test(sentence) && !KEPT.test(sentence);

/** Whether something of the person's is what a verb is done to. */
const isDoneTo = (after: string): boolean =>
  [OBJECT, OWN, STRICT, QUANTITY, NAMED].some((each) => each.test(after));

const isActive = (verb: string, before: string, after: string): boolean => {
  if (!isStated(before, after) || SHOWN.test(after)) return false;
  const effect = effectOf(verb);
  if (effect === 'sent') return !/^ (?:you|above|my|some|an? few)\b/iu.test(after);
  if (!effect) return STRICT.test(after) && !isMarket(after);
  if (!WEAK.test(verb)) return isDoneTo(after);
  return STRICT.test(after) || (/changed|updated|moved|edited/iu.test(verb) && OBJECT.test(after));
};

const isPassive = (sentence: string, verb: string, before: string, after: string): boolean => {
  if (!isStated(before, after) || isMarket(sentence) || /\balready\b/iu.test(verb)) return false;
  const isBeen = /\bbeen\b/iu.test(verb);
  const isNow = isBeen || /\b(?:now|all|just|successfully)\b/iu.test(verb);
  const isPast = /^(?:was|were|got)/iu.test(verb);
  const isKnown = effectOf(verb) !== undefined;
  const subject = before.replace(PREFIX, '').trim();
  if (!isNow && !isPast) {
    if (!STILL.test(verb) || /^ to\b[^,]{1,80}, (?:which|so|because)/iu.test(after)) return false;
    if (/^(?:are|['’]re)/iu.test(verb) && !/^(?:both|your|notifications)/iu.test(before)) return false;
  }
  if (!isBeen && / set$| scheduled$/iu.test(verb) && (NEXT.test(after) || HELD.test(subject))) return false;
  if (PRONOUN.test(subject) && !isPast)
    return isKnown && ON.test(after) && (isBeen || !/^ (?:to(?! your)|for)\b/iu.test(after));
  if (QUANTITY.test(before)) return isKnown;
  if (isPast && (/(?:made|taken)$/iu.test(verb) || !(STRICT.test(subject) || /\byour\b/iu.test(after))))
    return false;
  if (isKnown) return OWN.test(before + after) || STRICT.test(`${before} ${after}`);
  return (STRICT.test(subject) && !HELD.test(subject)) || (isNow && / from your\b/iu.test(after));
};

const isShort = (sentence: string, verb: string, before: string, after: string): boolean => {
  const noun = before.replace(PREFIX, '').trim();
  if (noun.length > 70 || !isStated(noun, after) || SHOWN.test(after) || isMarket(sentence)) return false;
  const isEnd = /^[^\p{L}\d]*$/u.test(after);
  const isKnown = effectOf(verb) !== undefined || verb === 'complete';
  if (noun === '') {
    if (!isKnown) return STRICT.test(after) && /^ (?:your|the|that|this|those|all) /u.test(after);
    if (QUANTITY.test(after)) return true;
    if (/^(?:set|put)$/iu.test(verb)) return HEAD.test(after) || (before.trim() !== '' && STRICT.test(after));
    if (LISTED.test(after)) return false;
    if (WEAK.test(verb)) return STRICT.test(after) || OWN.test(after) || (isEnd && wordCount(sentence) <= 4);
    return isDoneTo(after);
  }
  if (VERB.test(noun) || !ON.test(after) || /(?:[$₩][\d.,]{1,15}|%)$/u.test(noun)) return false;
  if (/\p{L}s$/u.test(noun) && !noun.includes(' ') && !/^\s?[.!:✅]|^$/u.test(after)) return false;
  if (/^an? /iu.test(noun) || (HELD.test(noun) && !isEnd)) return false;
  if (/^(?:(?:but|and|so) )?(?:the|your|this) /iu.test(noun) && (!isKnown || VERB.test(after))) return false;
  if (STRICT.test(noun) || (isKnown && (OWN.test(`${noun} ${after}`) || STRICT.test(after)))) return true;
  if (/^\p{Lu}\p{Ll}+$/u.test(noun) && /^(?:applied|enabled|disabled|restored)$/iu.test(verb)) return true;
  return isKnown && isEnd && (QUANTITY.test(noun) || /^[A-Z]{2,5}$/u.test(noun));
};

/** What every claim has one of: all others are passed over fast. */
const TOUCHED =
  /ed\b|set|put|sent|undo|undid|undone|took|taken|wr[io]t|made|built|now|gone|longer|active|complete|['’]s on|off|books|['’]ll|will|got|any ?more|cut|shut|hid|back|csv|starting/u;

/** What a sentence says was done, as far as it is English. */
export const englishEffects = (sentence: string): readonly Effect[] => {
  const lowered = sentence.toLowerCase();
  if (!/[a-z]{3}/u.test(lowered) || !TOUCHED.test(lowered)) return [];
  const found: Effect[] = [];
  const taken = new Set<number>();
  const read = (pattern: RegExp, isClaim: typeof isActive): void => {
    for (const { index, 0: said } of sentence.matchAll(pattern)) {
      const end = index + said.length;
      if (taken.has(end)) continue;
      taken.add(end);
      const before = sentence.slice(0, index);
      if (!IDLE.test(said) && isClaim(said, before.slice(clauseStart(before)), sentence.slice(end)))
        found.push(effectOf(said) ?? 'changed');
    }
  };
  read(ACTIVE, isActive);
  read(JOINED, (said, before, after) => {
    if (found.length > 0) return isActive(said, '', after);
    return before.replace(PREFIX, '').trim() === '' && isShort(sentence, said.slice(4), '', after);
  });
  read(PASSIVE, (...parts) => isPassive(sentence, ...parts));
  read(SHORT, (...parts) => isShort(sentence, ...parts));
  const promise = PROMISE.exec(sentence);
  if (promise && WHEN.test(sentence.slice(promise.index + promise[0].length)) && !OFFER.test(sentence))
    found.push('set');
  const state = STATE.exec(sentence);
  const isOwn =
    state && (/(?:track|watch|monitor|follow)ing|you now have/iu.test(state[0]) || isDoneTo(sentence));
  if (isOwn && isStated(sentence.slice(0, state.index), '') && !isMarket(sentence))
    found.push(/gone|longer|off|won/iu.test(state[0]) ? 'removed' : 'changed');
  return found;
};
