/** What is wrong with files of pi and OpenClaw, and how it is mended. */
import type { CheckPart } from '../../codec.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { validator } from './validate.ts';

export const check: CheckPart = { rules, validator, repair };
