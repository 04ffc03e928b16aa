/** What a file beside the session says about where its conversation goes on. */
import { codecOf } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import type { Loss, Session } from '../model/index.ts';
import { diskFolders } from '../store/find/folders.ts';

/** The session with the cut that its client keeps in a file of its own. */
export function withSidecar(session: Session, path: string, losses: Loss[]): Session {
	const codec = codecOf(session.format);
	const file = codec?.read.cutBy && codec.places.sideFiles(path, diskFolders).find((one) => one.role === 'compaction');
	if (!codec?.read.cutBy || !file) return session;
	using source = openFile(file.path);
	return { ...session, ...codec.read.cutBy(session, source.read(0, source.size), losses) };
}
