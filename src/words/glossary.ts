import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locale } from '#src/kernel/locale.ts';
import { stemsOf } from '#src/reading/particles.ts';
import { plainOf } from './classifier.ts';

export interface Glossary {
  /** The explanation of the term that a question names; undefined where it names none. */
  readonly explain: (question: string) => string | undefined;
}

/** `# PER; 주가수익비율` begins a term; below it stand its sentences, and behind `>` what shows it live. */
export const parseGlossary = (written: string): Glossary => {
  const terms = new Map<string, string>();
  for (const part of written.split(/^# /mu).slice(1)) {
    const [names = '', ...lines] = part.split('\n').map((line) => line.trim());
    const text = lines.filter((line) => line !== '' && !line.startsWith('>')).join(' ');
    const live = lines.flatMap((line) => (line.startsWith('>') ? [`→ "${line.slice(1).trim()}"`] : []));
    for (const name of names.split(';')) terms.set(plainOf(name), [text, ...live].join('\n'));
  }
  const longest = Math.max(1, ...Array.from(terms.keys(), (name) => name.split(' ').length));
  return {
    explain: (question) => {
      const words = plainOf(question).split(' ');
      for (let length = longest; length > 0; length -= 1)
        for (let start = 0; start + length <= words.length; start += 1) {
          const run = words.slice(start, start + length).join(' ');
          const name = stemsOf(run).find((stem) => terms.has(stem));
          if (name !== undefined) return terms.get(name);
        }
      return undefined;
    },
  };
};

const load = async (locale: Locale): Promise<Glossary> =>
  parseGlossary(await readFile(join(import.meta.dirname, 'glossary', `${locale}.txt`), 'utf8'));

const loaded = new Map<Locale, Promise<Glossary>>();

/** Loaded as the examples are. */
export const glossaryIn = (locale: Locale): Promise<Glossary> =>
  loaded.getOrInsertComputed(locale, async () => {
    try {
      return await load(locale);
    } catch (error) {
      // The next message tries again.
      loaded.delete(locale);
      throw error;
    }
  });
