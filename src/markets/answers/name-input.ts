import { z } from 'zod';

/** Longer than any name; a pasted page is none. */
const MAX_NAME_LENGTH = 100;

/** What the model passes on of a person's words: a name, a ticker or a code. */
export const nameInput = () => z.string().min(1).max(MAX_NAME_LENGTH);
