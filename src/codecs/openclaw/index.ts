/** The codec of pi and OpenClaw: bare message lines, and header and entry trees of versions 1 to 4. */
import type { Codec } from '../codec.ts';
import { lineReader } from '../line-reader.ts';
import { capabilities } from './capabilities.ts';
import { decoder } from './decode.ts';
import { encode } from './encode.ts';
import { claimsRecord } from './lines.ts';
import { locate } from './locate.ts';
import { rules } from './rules.ts';
import { validator } from './validate.ts';

export const openclaw: Codec = {
	id: 'openclaw',
	name: 'OpenClaw and pi',
	capabilities,
	rules,
	claims: claimsRecord,
	reader: lineReader,
	decoder,
	validator,
	encode,
	locate,
};

export type * from './lines.ts';
