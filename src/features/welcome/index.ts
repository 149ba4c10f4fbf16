export { restOfWelcome } from './questions.ts';
