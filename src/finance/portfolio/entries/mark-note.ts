import { MAX_NOTE } from './read-entry-checks.ts';

const shortTo = (text: string): string => {
  const characters = Array.from(text);
  return characters.length > MAX_NOTE ? `${characters.slice(0, MAX_NOTE - 1).join('')}…` : text;
};

/** A note with a mark before it. The mark is never what is left out: a note that is too long is cut. */
export const markNote = (note: string | undefined, mark: string): string =>
  note === undefined ? mark : shortTo(`${mark} · ${note}`);
