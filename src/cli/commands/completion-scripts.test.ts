/** Laws of completion scripts: what is completed is never run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scripts } from './completion-scripts.ts';

const at = { names: ['--at'], about: 'read up to this entry', takesValue: true, values: [] };
const show = { name: 'show', summary: 'read a session', options: [at], words: [], takesSession: true };
const client = { ...show, name: '', takesSession: false };

it.skipIf(spawnSync('bash', ['--version']).status !== 0)(
	'bash completes ids of sessions as they are, and runs nothing of them',
	() => {
		const folder = mkdtempSync(join(tmpdir(), 'reprise-completion-'));
		try {
			const complete = (typed: string): readonly string[] => {
				const asked = `reprise() { printf '%s\\n' last 'a b' '$(touch made)' '\`touch made\`'; }
${scripts.bash([client, show])}
COMP_WORDS=(reprise show "$1"); COMP_CWORD=2; _reprise; printf '%s\\n' "\${COMPREPLY[@]}"`;
				const { stdout, stderr } = spawnSync('bash', ['-c', asked, 'bash', typed], { cwd: folder, encoding: 'utf8' });
				expect(stderr).toBe('');
				return stdout.trimEnd().split('\n');
			};
			expect(complete('')).toEqual(['last', 'a b', '$(touch made)', '`touch made`']);
			expect(complete('la')).toEqual(['last']);
			expect(complete('$(')).toEqual(['$(touch made)']);
			expect(readdirSync(folder)).toEqual([]);
		} finally {
			rmSync(folder, { recursive: true });
		}
	},
);
