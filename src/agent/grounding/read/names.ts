import { isSyllable } from '#src/reading/characters.ts';
import { Phrases } from '#src/reading/phrases.ts';

/** What the answer may call its subjects. */
const PORTFOLIO_NAMES =
  '포트폴리오,계좌,총자산,총 자산,전체 자산,전체,portfolio,account,in total,overall'.split(',');
const MIN_NAME = 2;

/** Words that name a company only together with others. */
const TOO_COMMON: ReadonlySet<string> = new Set('the inc co corp group all on it so now are a'.split(' '));

/** First words that are no short names. */
const COMMON_FIRST: ReadonlySet<string> = new Set(
  'Advanced General American United National First Global Bank Applied International Korea Korean Central Digital Crown Capital Energy Royal Public'.split(
    ' ',
  ),
);

const FIRST_WORD = /^(?<first>[A-Z][a-z]{4,}) /u;
const REST = /^[A-Za-z]{2,3}(?<rest>[가-힣]{3,}| [a-z]{4,}$)/u;

/** `Samsung` of Samsung Electronics, `하이닉스` and `hynix` of SK하이닉스 and SK hynix. */
const shortNames = (name: string): readonly string[] => {
  const first = FIRST_WORD.exec(name)?.groups?.['first'];
  const rest = REST.exec(name)?.groups?.['rest']?.trim();
  const short = first === undefined || COMMON_FIRST.has(first) ? [] : [first];
  return rest === undefined ? short : [...short, rest];
};

/** What coins are called besides their names. */
const COINS: Readonly<Record<string, string>> = { Ethereum: 'Ether', 이더리움: '이더' };

const isPair = (entity: string): boolean => entity.includes('/');

/** In lower case. Korean names have none, and to look at them is faster than to convert them. */
const lowered = (name: string): string => {
  for (let at = 0; at < name.length; at += 1) if (!isSyllable(name.charCodeAt(at))) return name.toLowerCase();
  return name;
};

const isName = (form: string): boolean => form.length >= MIN_NAME && !TOO_COMMON.has(form);

/** The forms of companies that answers were about before, because people ask about the same ones again. */
const knownForms = new Map<string, readonly string[]>();
const MAX_KNOWN = 5_000;

/** What an answer may call a company or a coin, in lower case. */
const formsOf = (name: string): readonly string[] => {
  const known = knownForms.get(name);
  if (known) return known;
  const coin = COINS[name];
  const called = [name, ...shortNames(name), ...(coin === undefined ? [] : [coin])];
  const forms = called.map((each) => lowered(each.trim())).filter(isName);
  if (knownForms.size >= MAX_KNOWN) knownForms.clear();
  knownForms.set(name, forms);
  return forms;
};

/** The names of the facts' subjects, in lower case. */
export class SubjectNames {
  readonly #entities = new Map<string, string[]>();

  add(called: string, entity: string): void {
    const form = lowered(called.trim());
    if (isName(form)) this.#addForm(form, entity);
  }

  #addForm(form: string, entity: string): void {
    const same = this.#entities.get(form);
    if (!same) this.#entities.set(form, [entity]);
    else if (!same.includes(entity)) same.push(entity);
  }

  addSubject(entity: string): void {
    this.add(entity, entity);
    const point = entity.indexOf('.');
    if (point !== -1 && !isPair(entity)) this.add(entity.slice(0, point), entity);
    if (entity.startsWith('portfolio:')) for (const name of PORTFOLIO_NAMES) this.add(name, entity);
  }

  addCompany(name: string, entity: string): void {
    for (const called of formsOf(name)) this.#addForm(called, entity);
  }

  phrases(): Phrases<readonly string[]> {
    return new Phrases(this.#entities);
  }
}
