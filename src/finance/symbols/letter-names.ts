/** How Latin letters are spoken in Korean: LG is 엘지. */
const LETTER_NAMES =
  '에이 비 씨 디 이 에프 지 에이치 아이 제이 케이 엘 엠 엔 오 피 큐 알 에스 티 유 브이 더블유 엑스 와이 제트'.split(
    ' ',
  );
const FIRST_LETTER = 65;
const NAME = new RegExp([...LETTER_NAMES].toSorted((a, b) => b.length - a.length).join('|'), 'gu');

export const spokenLetters = (letters: string): string =>
  Array.from(letters, (letter) => LETTER_NAMES[letter.charCodeAt(0) - FIRST_LETTER] ?? letter).join('');

/** `엘지` is `lg`; undefined for what is no letters. */
export const lettersSpoken = (text: string): string | undefined => {
  const letters = text.replaceAll(NAME, (name) =>
    String.fromCodePoint(FIRST_LETTER + LETTER_NAMES.indexOf(name)),
  );
  return /^[A-Z]+$/.test(letters) && letters !== text ? letters.toLowerCase() : undefined;
};
