/** Rules for hosts and files: how wide one is that is offered, and that looking whether one fits ends. */
import { expect, it } from 'vitest';
import { circumstances } from '../../../test/support/shell-rules.ts';
import { decide } from './decide.ts';
import { suggestRule } from './suggest.ts';

it('for a file at the root of the machine that file alone is offered, and not all files', async () => {
	const offered = async (path: string) =>
		await suggestRule({ tool: 'Read', input: { file_path: path } }, circumstances({}));
	expect(await offered('/swap.img')).toBe('Read(//swap.img)');
	expect(await offered('/etc/passwd')).toBe('Read(//etc/**)');
});

it.each([
	['npm test --watch', 'Bash(npm test *)'],
	['npm run build --silent', 'Bash(npm run build *)'],
	['pnpm run lint:fix', 'Bash(pnpm run lint:fix *)'],
	['npm run', 'Bash(npm run)'],
	['npm run --silent build', 'Bash(npm run --silent build)'],
	['npm exec rimraf dist', 'Bash(npm exec rimraf dist)'],
	['uv run python seed.py', 'Bash(uv run python seed.py)'],
	['go run ./tools/gen.go', 'Bash(go run ./tools/gen.go)'],
])('for %s a rule is offered that runs nothing else: %s', async (command, rule) => {
	expect(await suggestRule({ tool: 'Bash', input: { command } }, circumstances({}))).toBe(rule);
});

it('a rule for hosts with many wildcards is held against a name at once', async () => {
	const host = `${'a'.repeat(60)}.${'a'.repeat(60)}.com`;
	const rule = `WebFetch(domain:${'*a'.repeat(30)}*b)`;
	const fetched = (deny: readonly string[], url: string) =>
		decide({ tool: 'WebFetch', input: { url } }, circumstances({ deny, mode: 'bypassPermissions' }));
	const began = performance.now();
	expect((await fetched([rule], `https://${host}/`)).decision).toBe('allow');
	expect(performance.now() - began).toBeLessThan(1000);
	const parts = ['WebFetch(domain:*.example.*)'];
	expect((await fetched(parts, 'https://a.example.com/')).decision).toBe('deny');
	expect((await fetched(parts, 'https://example.com/')).decision).toBe('allow');
	expect((await fetched(['WebFetch(domain:*)'], 'https://example.com/')).decision).toBe('deny');
});
