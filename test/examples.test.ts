/** The examples in the documentation run, as a user of the package would run them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'reprise-examples-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const examples = readdirSync(join(root, 'docs/examples')).filter((name) => name.endsWith('.ts'));

it.each(examples)('docs/examples/%s runs and says something', (name) => {
	const env = { ...process.env, HOME: scratch, REPRISE_HOME: join(scratch, 'own') };
	const program = join(root, 'docs/examples', name);
	const out = execFileSync(process.execPath, [program], { cwd: root, encoding: 'utf8', env });
	expect(out.trim().split('\n').length).toBeGreaterThan(0);
	expect(out).not.toContain('undefined');
});

it('there is one example per codec, and one agent', () => {
	expect(examples.sort()).toEqual(['agent.ts', 'claude-code.ts', 'clido.ts', 'cline.ts', 'openclaw.ts']);
});
