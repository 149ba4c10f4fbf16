/** Nobody asks for a welcome, so it is no `Feature` with queries and tools: `beside-answers.ts` opens it. */
export { restOfWelcome } from './questions.ts';
