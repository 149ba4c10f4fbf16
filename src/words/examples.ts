import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locale } from '#src/kernel/locale.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { buildClassifier, type Classifier, type Example, plainOf } from './classifier.ts';

export interface Examples extends Classifier {
  /** Whether a word stands in an example, so that it is no name although one is written like it. */
  readonly isWord: (word: string) => boolean;
}

/** `# action` begins a group; each line below it is an example. */
export const parseExamples = (text: string): readonly Example[] => {
  let action = '';
  const found = text.split('\n').flatMap((line): readonly Example[] => {
    const written = line.trim();
    if (written.startsWith('# ')) action = written.slice(2).trim();
    return written === '' || written.startsWith('#') || action === '' ? [] : [{ action, text: written }];
  });
  return found.toSorted((a, b) => (a.action < b.action ? -1 : Number(a.action > b.action)));
};

/** Not ended with the message that needs it first. */
const NEVER = new AbortController().signal;

const load = async (locale: Locale): Promise<Examples> => {
  const examples = parseExamples(
    await readFile(join(import.meta.dirname, 'examples', `${locale}.txt`), 'utf8'),
  );
  const classifier = await byTime(buildClassifier(examples), NEVER);
  const words = new Set(examples.flatMap(({ text }) => plainOf(text).split(' ')));
  return { ...classifier, isWord: (word) => words.has(word) };
};

const loaded = new Map<Locale, Promise<Examples>>();

/** Loaded with the first message of a language that the patterns do not understand. */
export const examplesIn = (locale: Locale): Promise<Examples> =>
  loaded.getOrInsertComputed(locale, async () => {
    try {
      return await load(locale);
    } catch (error) {
      // The next message tries again.
      loaded.delete(locale);
      throw error;
    }
  });
