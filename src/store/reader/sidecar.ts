/** Adds to a session the compaction that its client keeps in a side file, which decides where the conversation goes on. */
import { codecOf } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import type { Loss, Session } from '../../model/index.ts';
import { diskFolders } from '../find/folders.ts';

/** The session with the compaction that its client keeps in a side file. */
export function withSidecar(session: Session, path: string, losses: Loss[]): Session {
	const codec = codecOf(session.format);
	const file = codec?.read.cutBy && codec.places.sideFiles(path, diskFolders).find((one) => one.role === 'compaction');
	if (!codec?.read.cutBy || !file) return session;
	using source = openFile(file.path);
	return { ...session, ...codec.read.cutBy(session, source.read(0, source.size), losses) };
}
