/** The codec of Claude Code's session files. */
import type { Codec } from '../codec.ts';
import { lineReader } from '../line-reader.ts';
import { uuidOf } from '../new-id.ts';
import { capabilities } from './capabilities.ts';
import { claimLine } from './claims.ts';
import { decoder } from './decode.ts';
import { encode } from './encode.ts';
import { files } from './files.ts';
import { fork } from './fork.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';
import { repair } from './repair.ts';
import { rules } from './rules.ts';
import { shape } from './shape.ts';
import { trail } from './trail.ts';
import { unanswered } from './unanswered.ts';
import { validator } from './validate.ts';

export const claudeCode: Codec = {
	id: 'claude-code',
	name: 'Claude Code',
	capabilities,
	rules,
	claims: claimLine,
	shape,
	reader: lineReader,
	decoder,
	validator,
	encode,
	fork,
	files,
	newId: (random) => uuidOf(random, 4),
	newEntryId: (random) => uuidOf(random, 4),
	trail,
	unanswered: () => unanswered,
	locate,
	manage,
	repair,
};

export { backupFolder, backupName } from './encode-beside.ts';
export type * from './lines.ts';
export { projectSlug, publishedSlug } from './locate.ts';
