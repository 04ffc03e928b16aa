/** Sessions of the corpus and made-up ones that can be converted, and what is asked of them. */
import { join } from 'node:path';
import { type Codec, codecs } from '../../src/codecs/index.ts';
import type { Profile, Session } from '../../src/model/index.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { withSidecar } from '../../src/store/reader/sidecar.ts';
import { type CorpusFile, corpusFiles } from '../support/corpus.ts';
import { writeGenerated } from '../support/generated.ts';

export interface CorpusSession {
	readonly file: CorpusFile;
	readonly session: Session;
}

/** Every session of the corpus in which somebody says something. */
export async function corpusSessions(): Promise<readonly CorpusSession[]> {
	const found: CorpusSession[] = [];
	for (const file of corpusFiles()) {
		if (file.bytes().length === 0) continue;
		const session = withSidecar(await openSession(file.path), file.path, []);
		if (session.entries.some(speaks)) found.push({ file, session });
	}
	return found;
}

export interface SomeSession {
	readonly name: string;
	readonly path: string;
	readonly session: Session;
}

/** Sessions of the corpus, and the generated ones in every format, written below `folder`. */
export async function allSessions(folder: string): Promise<readonly SomeSession[]> {
	const recorded = (await corpusSessions()).map(({ file, session }) => ({ name: file.name, path: file.path, session }));
	return [...recorded, ...(await madeSessions(folder))];
}

export async function madeSessions(folder: string): Promise<readonly SomeSession[]> {
	const made: SomeSession[] = [];
	for (const codec of codecs) {
		for (const { name, path } of writeGenerated(join(folder, 'made', codec.id), codec)) {
			const session = withSidecar(await openSession(path), path, []);
			made.push({ name: `${codec.id}: ${name}`, path, session });
		}
	}
	return made;
}

function speaks(entry: Session['entries'][number]): boolean {
	if (entry.kind !== 'message' || entry.role !== 'user') return false;
	return entry.content.some((block) => block.type !== 'text' || block.text.trim() !== '');
}

export const profiles: readonly Profile[] = ['client', 'published'];

export function others(session: Pick<Session, 'format'>): readonly Codec[] {
	return codecs.filter((codec) => codec.id !== session.format);
}
