/** The checking part of the codec for pi and OpenClaw. */
import type { CheckPart } from '../../codec.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { validator } from './validate.ts';

export const check: CheckPart = { rules, validator, repair };
