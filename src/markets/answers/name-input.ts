import { z } from 'zod';

/** Longer than any name. */
const MAX_NAME_LENGTH = 100;

/** A name, ticker or code as a tool input. */
export const nameInput = () => z.string().min(1).max(MAX_NAME_LENGTH);
