/** What nobody goes back to any more is thrown away: old histories, what takes too much room, copies that none needs. */
import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { sha256Of } from '../../log/sha256.ts';
import { copiesOf, FileHistory, looksOf } from './file-history.ts';
import type { FileForm } from './forms.ts';
import { keepLook } from './kept-looks.ts';
import { pruneCopies } from './prune.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.now();
const limits = { days: 30, bytes: 1e9 };

function newPlace() {
	const scratch = scratchMachine();
	onTestFinished(() => scratch[Symbol.dispose]());
	const { machine } = scratch;
	mkdirSync(scratch.own, { recursive: true });
	const copies = copiesOf(machine);
	const keep = (text: string): FileForm & { readonly is: 'file' } => {
		const bytes = Buffer.from(text);
		const sha256 = sha256Of(bytes);
		copies.keep(bytes, sha256);
		age(join(scratch.own, 'checkpoints/copies', sha256.slice(0, 2), `${sha256.slice(2)}.zst`), 3);
		return { is: 'file', mode: 0o644, size: bytes.length, sha256 };
	};
	/** A session that has changed a file from one text to another. */
	const session = (id: string, text: string, days: number): FileHistory => {
		const history = new FileHistory(machine, { format: 'claude-code', id });
		const changes = [{ path: '/a', before: keep(`${text} before`), after: keep(`${text} after`) }];
		history.append({ is: 'end', call: id, changes, missed: [] });
		age(join(history.folder, 'steps'), days);
		return history;
	};
	const has = (text: string): boolean => copiesOf(machine).has(sha256Of(Buffer.from(text)));
	return { machine, keep, session, has, own: scratch.own };
}

function age(path: string, days: number): void {
	const at = (now - days * dayMs) / 1000;
	utimesSync(path, at, at);
}

describe('what nobody goes back to any more is thrown away', () => {
	it('a history 30 days after its last step, with the copies that no other one needs', () => {
		const { machine, session, has } = newPlace();
		const [old, young] = [session('old', 'old', 31), session('young', 'young', 29)];
		const shared = session('other', 'shared', 31);
		session('sharing', 'shared', 1);
		pruneCopies(machine, limits, now);
		expect([old.exists, young.exists, shared.exists]).toEqual([false, true, false]);
		expect(['old before', 'old after', 'young before', 'shared before'].map(has)).toEqual([false, false, true, true]);
	});

	it('those that were left alone longest, where all take too much room', () => {
		const { machine, session } = newPlace();
		const [first, second] = [session('first', 'x'.repeat(50), 5), session('second', 'y'.repeat(50), 2)];
		pruneCopies(machine, { ...limits, bytes: 60 }, now);
		expect([first.exists, second.exists]).toEqual([false, true]);
	});

	it('one that is too large alone takes no other along, and stays while its session may still go on', () => {
		const { machine, session } = newPlace();
		const large = Array.from({ length: 300 }, (_, n) => sha256Of(Buffer.from(String(n)))).join('');
		const [gone, small, used] = [session('gone', large, 4), session('small', 'x', 5), session('used', `u${large}`, 0)];
		pruneCopies(machine, { ...limits, bytes: 5000 }, now);
		expect([gone.exists, small.exists, used.exists]).toEqual([false, true, true]);
	});

	it('copies that no history needs, but those of the last day', () => {
		const { machine, keep, has } = newPlace();
		keep('alone');
		copiesOf(machine).keep(Buffer.from('fresh'));
		pruneCopies(machine, limits, now);
		expect(['alone', 'fresh'].map(has)).toEqual([false, true]);
	});

	it('what a project was before a command, unless the command was cut off', () => {
		const { machine, keep, own, has } = newPlace();
		const looks = looksOf(machine);
		const sums = ['ended', 'cut off'].map((text) => {
			const form = keep(text);
			return keepLook(new Map([[text, { form, stat: form }]]), looks);
		});
		for (const { sha256 } of looks.all())
			age(join(own, 'checkpoints/looks', sha256.slice(0, 2), `${sha256.slice(2)}.zst`), 3);
		const history = new FileHistory(machine, { format: 'claude-code', id: 's' });
		for (const [n, sum = ''] of sums.entries()) {
			const call = String(n);
			history.append({ is: 'begin', call, tool: 'Bash', what: 'x', files: [], looks: [{ folder: '/p', sum }] });
			if (n === 0) history.append({ is: 'end', call, changes: [], missed: [] });
		}
		pruneCopies(machine, limits, now);
		expect(sums.map((sum) => looksOf(machine).has(sum))).toEqual([false, true]);
		expect(['ended', 'cut off'].map(has)).toEqual([false, true]);
	});
});
