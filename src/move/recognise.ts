/** Recognises a converted session by its conversation print, even after its client has rewritten it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codecOf, decodeBytes, type Machine } from '../codecs/index.ts';
import type { Session } from '../model/index.ts';
import { openSession } from '../store/reader/session-reader.ts';
import { withSidecar } from '../store/reader/sidecar.ts';
import { type Said, saidIn } from './conversation-print.ts';
import { type Lineage, storedFiles } from './lineage.ts';
import { loadSums } from './sum.ts';
import { openWhole, writePassing, writeWhole } from './write.ts';

/** The conversation print from when the session was written, if the session or the record tells it. */
export async function saidAsStored({ recognised }: Lineage, session: Session): Promise<Said | undefined> {
	if ('said' in recognised) return recognised.said === 'again' ? undefined : recognised.said;
	const codec = codecOf(session.format);
	if (!codec || !(await loadSums()).stillBegins(session.source, recognised.written)) return undefined;
	return saidIn(decodeBytes(codec, session.source.read(0, recognised.written.length), session.id));
}

/** The print, by converting the source once more: equal input gives equal bytes, so the first file is made again. */
export async function saidAgain(machine: Machine, lineage: Lineage): Promise<Said | undefined> {
	if ('said' in lineage.recognised && lineage.recognised.said !== 'again') return undefined;
	const codec = codecOf(lineage.target.format);
	const [main, ...beside] = await storedFiles(machine, lineage);
	if (!codec || !main) return undefined;
	const scratch = mkdtempSync(join(tmpdir(), 'reprise-again-'));
	try {
		for (const file of [main, ...beside]) {
			const path = join(scratch, 'source', file.path);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, file.bytes);
		}
		const from = join(scratch, 'source', main.path);
		const { profile, mapTools, cwd, path, id } = lineage.target;
		// The file gets its former name, by which its side files are found.
		const out = join(scratch, 'again', basename(path));
		const options = { out, place: path, profile, mapTools, id, reference: true, ...(cwd ? { cwd } : {}) };
		const made =
			(await writePassing(from, codec, options, () => false)) ??
			(await writeWhole(await openWhole(from, codec), codec, options));
		const again = made.out[0] ?? '';
		return saidIn(withSidecar(await openSession(again, { subagents: false }), again, []));
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}
