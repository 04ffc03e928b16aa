/** Sessions in scratch folders, for tests that write. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codecOf, codecs, type Machine } from '../../src/codecs/index.ts';
import type { FormatId } from '../../src/model/index.ts';
import type { Draft } from '../../src/store/handle/draft.ts';

const samples = join(import.meta.dirname, '../../samples');

export const formats: readonly FormatId[] = codecs.map(({ id }) => id);

/** What a main file of the format is called. */
export function fileNamed(format: FormatId, stem: string): string {
	return `${stem}${codecOf(format)?.places.ending}`;
}

export const sampleOf = Object.fromEntries(formats.map((id) => [id, join(samples, fileNamed(id, id))])) as {
	readonly [F in FormatId]: string;
};

export class Scratch implements Disposable {
	readonly folder = mkdtempSync(join(tmpdir(), 'reprise-test-'));
	readonly machine: Machine = { platform: 'linux', home: this.folder, env: { REPRISE_HOME: join(this.folder, 'own') } };

	/** A copy of a file, by default the sample of a format. */
	copy(format: FormatId, from = sampleOf[format]): string {
		const to = join(this.folder, fileNamed(format, 'session'));
		cpSync(from, to);
		return to;
	}

	[Symbol.dispose](): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

export function bytesAt(path: string): Buffer {
	return readFileSync(path);
}

export const prompt = (text: string): Draft => ({ kind: 'message', role: 'user', content: [{ type: 'text', text }] });

export const reply = (text: string, id = `msg_${text.replaceAll(' ', '_')}`): Draft => ({
	kind: 'message',
	role: 'assistant',
	content: [{ type: 'text', text }],
	response: {
		id,
		provider: 'anthropic',
		model: 'claude-sonnet-4-6',
		stop: 'end',
		usage: { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
	},
});
