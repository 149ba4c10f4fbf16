import { pressEveryButton } from './press-every-button.ts';

pressEveryButton('Discord');
