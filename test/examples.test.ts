/** The examples in the documentation run, as a user of the package would run them. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const examples = readdirSync(join(root, 'docs/examples')).filter((name) => name.endsWith('.ts'));

it.each(examples)('docs/examples/%s runs and says something', (name) => {
	const out = execFileSync(process.execPath, [join(root, 'docs/examples', name)], { cwd: root, encoding: 'utf8' });
	expect(out.trim().split('\n').length).toBeGreaterThan(0);
	expect(out).not.toContain('undefined');
});

it('there is one example per codec, and one agent', () => {
	expect(examples.sort()).toEqual(['agent.ts', 'claude-code.ts', 'clido.ts', 'cline.ts', 'openclaw.ts']);
});
